/** What people call passwords, tokens and keys in other languages than English: in assignments and tables. */

/**
 * German, Dutch, Spanish, Portuguese, French, Italian, Norwegian, Danish, Swedish, Finnish, Czech, Polish,
 * Hungarian, Turkish, Romanian, Indonesian, Catalan, Croatian, Slovenian, Estonian, Lithuanian, Vietnamese,
 * Malay, Afrikaans, Icelandic, Basque; some also without their accents.
 */
export const passwordWords = [
  'passwort',
  'kennwort',
  'wachtwoord',
  'senha',
  'palavra-passe',
  'mot de passe',
  'mot_de_passe',
  'motdepasse',
  "parola d'ordine",
  'parola',
  'parolă',
  'kata sandi',
  'passord',
  'adgangskode',
  'kodeord',
  'lösenord',
  'salasana',
  'heslo',
  'hasło',
  'haslo',
  'jelszó',
  'şifre',
  'contrasenya',
  'lozinka',
  'geslo',
  'parool',
  'slaptažodis',
  'mật khẩu',
  'zaporka',
  'kata laluan',
  'wagwoord',
  'sifre',
  'jelszo',
  'losenord',
  'slaptazodis',
  'lykilorð',
  'pasahitza',
]

/**
 * Japanese, Korean, Russian, Bulgarian, Serbian, Hebrew, Arabic, Hindi, Thai, Persian, Bengali: the name
 * needs no word boundary.
 */
export const unspacedPasswordWords = [
  'パスワード',
  '暗証番号',
  '비밀번호',
  'пароль',
  'парола',
  'лозинка',
  'סיסמה',
  'كلمة المرور',
  'पासवर्ड',
  'รหัสผ่าน',
  'رمز عبور',
  'كلمة السر',
  'پسورد',
  'পাসওয়ার্ড',
]

/** Greek and Spanish. They also mean other codes and keys: a column needs one of accounts beside it. */
export const doubtfulPasswordWords = ['κωδικός πρόσβασης', 'κωδικός', 'clave']

/** Chinese. What follows such a word decides, because it has only two characters. */
export const chinesePasswordWords = ['密码', '密碼', '口令']

/** Tokens and keys of programs, which only count at the top of a column. */
export const keyWords = [
  'jeton',
  'clé api',
  'clé secrète',
  'api-schlüssel',
  'clave api',
  'clave de api',
  'clave secreta',
  'chiave api',
  'chave de api',
  'klucz api',
  'токен',
  'トークン',
  'apiキー',
  '토큰',
  '令牌',
  '密钥',
  '密鑰',
]
