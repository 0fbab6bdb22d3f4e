"""English word lists that the rules are built from, each as a piece of a regular expression."""

from __future__ import annotations


def one_of(words: str) -> str:
    """The words as an alternative; an underscore stands for a space."""
    return "(?:" + "|".join(word.replace("_", " ") for word in words.split()) + ")"


FAMILY = one_of(
    "mother father mom mum mama dad papa parents? sisters? brothers? siblings? wife husband spouse "
    "partner girlfriend boyfriend "
    "fianc[ée]e? sons? daughters? kids? child(?:ren)? twins? baby toddler aunt(?:ie)? uncle cousins? "
    "nieces? nephews? "
    "grand(?:mother|father|ma|pa|son|daughter|child|children|"
    "parents) granny gran grandad nan step(?:mother|father|son|daughter|sister|brother) "
    "(?:mother|father|sister|brother|parents|son|daughter)-in-law in-laws godmother godfather "
    "ex(?:-(?:wife|husband))?"
)
# What relatives are called to their face, without "my".
KIN = (
    r"(?:Grand(?:ma|pa|mother|father|dad)|Gran(?:ny|dad)?|Nan|Mum|Mom|Dad|Auntie|"
    r"(?:Aunt|Uncle|Cousin|Grandpa|Grandma) \p{Lu}\p{L}+)"
)
FRIENDS = one_of(
    "(?:best_|old_|close_|childhood_|good_)?friends? neighbou?rs? flat-?mates? room-?mates? house-?mates? "
    "classmates? penpal bandmates?"
)
COLLEAGUES = one_of(
    "boss manager supervisor lead team_lead line_manager mentor coach colleagues? co-?workers? "
    "team-?mates? assistant secretary "
    "intern apprentice trainee co-?founder business_partner designer developer engineer architect analyst "
    "editor publisher agent "
    "accountant bookkeeper tax_advis[eo]r lawyer solicitor attorney notary therapist doctor gp dentist "
    "physio(?:therapist)? vet "
    "trainer tutor teacher professor supervisor landlord landlady tenant contractor plumber electrician "
    "gardener cleaner nanny "
    "babysitter contact client customer supplier vendor investor recruiter account_manager "
    "product_manager project_manager "
    "scrum_master cto ceo cfo coo sysadmin administrator caretaker janitor receptionist foreman skipper "
    "chef cook driver "
    "photographer illustrator translator interpreter nurse midwife carer"
)
PETS = one_of(
    "dogs? cats? puppy pupp(?:y|ies) kittens? horses? pony parrots? budgies? canary rabbits? hamsters? "
    "guinea_pigs? tortoises? "
    "turtles? goldfish snake lizard gecko hens? chickens? goats? sheep donkey ferret pets? terrier "
    "labrador poodle spaniel beagle "
    "dachshund greyhound border_collie"
)
PERSON = f"(?:{FAMILY}|{FRIENDS}|{COLLEAGUES}|{PETS})"

PROFESSION = (
    r"(?:[\w-]*(?:(?<!b)(?<!nev)(?<!ov)er|or|ist|cian|rian|eer|smith|wright|keeper|woman|man|person|nurse|"
    r"chef|vet|analyst|"
    r"assistant|accountant|consultant|student|apprentice|trainee|intern|doctor|lawyer|pilot|judge|nun|"
    r"monk|priest|"
    r"clerk|cook|guide|coach|midwife|broker|agent|scientist|architect|attorney|surgeon|physician|"
    r"paramedic|medic|"
    r"mechanic|librarian|founder|ceo|cto|cfo|director|head|lead|officer|president|secretary|owner|"
    r"freelance[r]?|"
    r"au pair|model|poet|critic|chemist|geologist|hydrologist|upholsterer|locksmith|shepherd|dad|mum|mom|"
    r"widow(?:er)?|"
    r"pensioner|veteran|sysadmin|dev|qa|sre|dba|nanny|resident|postdoc|graduate))\b"
)

MACHINE = one_of(
    "machine server box host laptop desktop workstation computer pc nas router switch firewall printer "
    "plotter scanner camera "
    "monitor phone tablet raspberry_pi pi vm instance cluster node container pod database db replica "
    "bucket queue cache repo "
    "repository registry domain subdomain website site blog wiki forum shop app service api gateway proxy "
    "relay bot agent cron "
    "cron_job job script pipeline workflow backup backups sensor device thermostat controller microscope "
    "spectrometer "
    "telescope kiln lathe loom press mixer oven car van bike boat sheet spreadsheet channel folder drive "
    "share vpn ci "
    "dashboard index collection endpoint webhook mailer newsletter staging production prod environment "
    "env plugin model "
    "importer exporter scheduler worker crawler scraper runner frontend backend front_end back_end "
    "codebase stack setup "
    "toolchain keyboard board amplifier synth radio"
)

EVENT = one_of(
    "wedding party fair festival conference congress offsite off-site retreat workshop meetup hackathon "
    "concert gig recital "
    "exhibition show premiere screening ceremony reunion barbecue dinner brunch lunch picnic regatta race "
    "marathon tournament match "
    "trip holiday vacation flight visit tour cruise hike expedition move relocation renovation launch "
    "release relaunch go-live "
    "kick-?off demo pitch presentation talk lecture exam test_date interview appointment surgery "
    "operation check-?up audit review "
    "inspection hearing trial deadline meeting sprint milestone beta mvp migration campaign survey "
    "project course class training "
    "graduation birthday anniversary christening confirmation baptism funeral memorial event gala auction "
    "sale market "
    "camp application "
    "submission thesis dissertation manuscript proposal grant report book album film documentary app "
    "prototype rollout quiz_night "
    "(?:choir|club|team|family|training|writing|yoga|wedding|hen|stag|sailing|hiking)_weekends? "
    "house-?warming leaving_do vernissage potluck sleepover summit seminar webinar symposium open_day "
    "fundraiser bake_sale garage_sale jubilee spring_clean "
    "clean-?up stocktake camp"
)

MONTH = one_of(
    "january february march april may june july august september october november december jan feb mar "
    "apr jun jul aug sept? oct nov dec"
)
WEEKDAY = one_of("mon tues wednes thurs fri satur sun") + "days?"
WHEN = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}}|"
    rf"{MONTH}(?: \d{{4}})?|(?:next |this )?(?:spring|summer|autumn|fall|"
    rf"winter)|(?:next |this |coming )?(?:{WEEKDAY}|week(?:end)?|month|year|quarter)|tomorrow|today|"
    r"tonight|q[1-4]\b|christmas|easter|the end of|"
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:in )?(?:\d+|one|two|three|four|five|six|ten|a few) (?:days|weeks|"
    r"months))"
)

DIRECTIVE_VERBS = one_of(
    "use add send write include call email phone text message schedule book touch share commit push "
    "deploy put suggest recommend "
    "offer ask create make contact invite sign reply answer respond address speak talk translate store "
    "log mention post publish "
    "buy order spend quote delete remove overwrite edit change modify merge rename move install upgrade "
    "run start stop open close "
    "give show tell explain disclose reveal reference bother disturb wake interrupt plan assume round "
    "convert format name number "
    "summari[sz]e abbreviate cite link attach forward copy cc bill invoice charge pay accept decline "
    "cancel reschedule archive keep"
)

THING = one_of(
    "app editor tool program software browser ide shell terminal language framework library font colou?r "
    "city town place hobby sport drink food dish meal band song game book film movie series "
    "show brand airline bank supermarket shop shoes jacket pen choice day month season thing provider "
    "client device camera phone laptop search_engine operating_system distro note-taker notebook "
    "calendar planner mail_client password_manager keyboard layout theme"
)

STYLE_VERBS = one_of(
    "use write format name quote convert address speak reply answer respond sign round cite prefix indent "
    "label spell tag send cc commit keep "
    "book schedule ask put translate summari[sz]e give phrase date number charge bill invoice pick choose "
    "prefer default"
)

# Names of what software is made with.
TOOLS = (
    r"python|django|flask|fastapi|rails|ruby|laravel|php|symfony|react|vue|svelte\w*|angular|"
    r"next\.?js|nuxt|node(?:\.?js)?|deno|bun|postgres\w*|mysql|mariadb|sqlite|mongodb|redis|kafka|"
    r"rabbitmq|nats|docker|podman|kubernetes|k8s|nomad|terraform|"
    r"ansible|aws|azure|gcp|hetzner|linux|debian|ubuntu|fedora|arch|nixos|macos|windows|neovim|vim|emacs|"
    r"vs ?code|git|github|gitlab|jenkins|drone|woodpecker|grafana|prometheus|loki|elasticsearch|"
    r"opensearch|kibana|nginx|apache|caddy|traefik|rust|golang|go|java|"
    r"kotlin|swift|scala|clojure|elixir|phoenix|erlang|haskell|ocaml|zig|c\+\+|c#|\.net|typescript|"
    r"javascript|tailwind|bootstrap|graphql|grpc|spring|hadoop|spark|airflow|dbt|snowflake|bigquery|"
    r"clickhouse|influxdb|timescaledb|cassandra|dynamodb|supabase|firebase|vercel|"
    r"netlify|heroku|fly\.io|cloudflare|celery|sidekiq|webpack|vite|pytest|junit|cypress|playwright|"
    r"flutter|unity|godot|blender|figma|arduino|esp32|zigbee|mqtt|home assistant|latex|typst|numpy|pandas|"
    r"pytorch|tensorflow|axum|actix|htmx"
)

NUMBER_WORD = (
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|"
    r"eight|"
    r"nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen"
)
