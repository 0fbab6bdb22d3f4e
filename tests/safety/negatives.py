"""Texts that mention secrets, or look like them, and have none: they must stay as they are."""

from __future__ import annotations

ENGLISH = """
Fritz!Box 7590 in the cellar, wifi password unchanged
The password for the NAS is kept in KeePassXC
Part ABCD-1234 is out of stock
Order number AB-4471-2210 arrived
The Bluetooth speaker JBL-Flip6 is in the kitchen
The sheet ID is 1x9Kd_77
The password manager is Bitwarden 2026.3
The postal code 80331 is Munich
My locker code word is PELICAN.
The spare key is with Teo.
I did a password reset this morning.
My password manager is Bitwarden.
My password manager is 1Password, version 8.10.
The password policy requires 12 characters and a symbol.
The password is required.
The password is stored in the vault.
The password is 12 characters long.
The password must be changed every 90 days.
The password for the wifi is on the fridge.
The password was wrong again, please help.
The password is the name of my dog.
I forgot the password of my e-mail account ada@example.com.
Ada owns the password reset flow, Ben owns the token refresh flow.
Passwords are hashed with argon2id.
Passwords are bcrypt-hashed and never logged.
Never write passwords into the log.
The token limit is 4096.
max_tokens=4096
The token count was 120000 in run 17.
The context has 128000 tokens, the reply 1000 tokens.
Tokens expire after 3600 seconds.
The token is valid until 2026-04-02.
The API key is optional.
An API key was configured for the new service (as of 2026-03-30)
A password was configured for staging (as of 2026-04-02)
The API key is kept in the environment variable WEATHER_API_KEY.
api_key = os.environ["WEATHER_API_KEY"]
password: ${DB_PASSWORD}
password: <your password>
password = getpass.getpass()
API_KEY=your-api-key-here
The key takeaway is that nobody reads the manual.
The key to good bread is time.
The primary key is user_id_12345678.
The secret ingredient is nutmeg.
The secret to a long life is walking.
It is no secret that Mira likes opera.
Our secret Santa is Maria.
A session token is issued after login.
The pin on the board fell down, please pin 10 posters.
We ship 20 pins to 10115 Berlin.
The error code is 40312 and the status code is 503.
The area code is 0221, the postcode is 50667.
The promo code is SPRING24.
The colour code is A1B2C3.
The code review is due on 2026-05-01.
The access code of conduct training is on Monday.
The authentication service runs on port 8443.
User's sheet is 146QbbXk9aZ0mUuT3rPlEwYcV7nBsD5fH2gJ8iK4oL6q, tab 2.
https://docs.google.com/spreadsheets/d/146QbbXk9aZ0mUuT3rPlEwYcV7nBsD5fH2gJ8iK4oL6q/edit#gid=0
The commit is 9f2c1b7e4d5a6f8091a2b3c4d5e6f708192a3b4c and it fixes the token refresh.
Commit 9f2c1b7 fixes the password form.
The image digest is sha256:0d1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8.
The md5 of the file is 9e107d9d372bb6826bd81d3542a419d6.
Conversation 018f3c9e-7b1a-7c3d-9e2f-1a2b3c4d5e6f was about the password form.
The container number is MSKU1234565.
Flight LH1234 on 2026-04-02T10:15:00Z, seat 23A, booking XK7P2Q.
Call me at +49 221 1234567 or +1 (415) 555-0132.
The IBAN is DE89 3704 0044 0532 0130 00.
Tailscale machine 'mac' (IP 100.71.135.41) is configured under beau@example.io.
We run Python 3.13.1, PostgreSQL 18.6 and Django 5.2.19.
The file is /srv/app/releases/20260402101500/config/secrets.yml.
The private key is in ~/.ssh/id_ed25519.
ssh_key_path: /home/ada/.ssh/id_rsa.pub
See https://example.com/search?q=password+reset&page=2&lang=en for more.
See https://docs.example.com/auth/token-refresh#rotate-the-key for the steps.
http://localhost:8080/users/ada@example.com
The disk-encryption-at-rest and risk-assessment-for-the-new-office documents are ready.
Authorization: Basic authentication is used by the old API.
The bearer of the news was Tom.
The webhook is https://ci.example.com/hooks/deploy for now.
Use basic understanding of tokens as the baseline.
The wifi is called Pelican-Guest-5G.
Reset codes are sent by SMS.
The verification code is sent by SMS within 30 seconds.
The recovery code is printed on paper.
My credentials are in order, the passport is valid until 2031.
The passphrase is required for every login.
The licence plate is K-AB 1234.
We use Flask-Argon2 for password hashing.
KeePassXC2 is our password manager.
git clone git@github.com:acme/app2.git
Mail ada@example.com: the invoice 2026-117 is late.
The wifi is slow in room 204/205.
Login is at 10:15/11:15, basic auth for beginners.
AuthenticationTokenRefreshControllerFactoryBean is a silly class name.
The login page is at https://example.com/login?next=/dashboard.
dependencies: openssl@3.2.1, token-bucket@1.4.0, password-strength@2.0.3
"""

CHINESE = """
我在学密码学，导师是李老师。
密码学是我的专业。
我的密码管理器是 Bitwarden。
密码是什么？
密码不对，请再试一次。
密码需要12位以上。
密码是必填项。
密码保存在保险箱里。
我忘了密码。
密码重置邮件发到 ada@example.com。
令牌的上限是4096。
会议在2026年4月2日上午10:15开始。
订单号是 20260402101500。
成功的钥匙是坚持。
我的生日是5月3日，住在上海浦东新区。
已为 测试环境 配置密码（截至 2026-04-02）
提交 9f2c1b7e4d5a6f8091a2b3c4d5e6f708192a3b4c 修复了令牌刷新。
"""

SPANISH = """
La contraseña es obligatoria.
La contraseña no es correcta.
La contraseña está guardada en el gestor.
Olvidé la contraseña del correo.
Mi gestor de contraseñas es Bitwarden.
La clave es la paciencia.
La palabra clave es memoria.
La clave del éxito es la constancia.
El límite de tokens es 4096.
El código postal es 28013.
Se configuró una contraseña para el servidor (a fecha de 2026-04-02)
Mi hermana vive en Sevilla y su número es 600 123 456.
"""

GERMAN = """
Das Passwort ist falsch.
Das Passwort ist im Tresor gespeichert.
Das Passwort wird alle 90 Tage geändert.
Mein Passwortmanager ist KeePass.
Der Schlüssel liegt unter der Matte.
Der Schlüssel zum Erfolg ist Geduld.
Die Postleitzahl ist 50667.
Das Token-Limit ist 4096.
Der Fehlercode ist 40312.
Ein Passwort wurde für Staging eingerichtet (Stand 2026-04-02)
Der Ausweis gilt bis 2031, die Nummer steht im Ordner.
"""

ROWS: list[tuple[str, str]] = [
    (language, line)
    for language, block in (("en", ENGLISH), ("zh", CHINESE), ("es", SPANISH), ("de", GERMAN))
    for line in block.strip().splitlines()
]
