// The browser knows its time zone; whoever sits elsewhere changes it.
const zone = document.querySelector("[data-time-zone]");
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && here && zone.value === zone.defaultValue) zone.value = here;
