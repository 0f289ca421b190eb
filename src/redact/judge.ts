import { lineBegins, linePrefix, textBefore } from './rules/pattern-parts.ts'
import { isScrambled } from './scrambled.ts'

/**
 * Decides whether a value in the position of a secret is one. Its shape is not enough, because documentation,
 * type annotations and source code have values in the same positions.
 */

/** Words that a person writes into the place of a key. */
const markers = ['example', 'change[-_]?me', 'placeholder', 'redacted', 'dummy', 'sample', 'your']
const upper = markers.map((each) => each.toUpperCase()).join('|')
const capital = markers.map((each) => each[0]!.toUpperCase() + each.slice(1)).join('|')
/**
 * A random key may contain the letters of such a word, in any case. A person writes all letters around it in
 * one case, or begins it with a capital.
 */
const placeholderInside = new RegExp(
  [
    `(?<![A-Za-z])[a-z]*(?:${markers.join('|')})[a-z]*(?![A-Za-z])`,
    `(?<![A-Z])[A-Z]*(?:${upper})[A-Z]*(?![A-Za-z])`,
    `(?<![A-Z])(?:${capital})(?![a-z])`,
    '(?<![A-Za-z])(?:insert|INSERT)[-_]',
    '(?<![A-Za-z0-9])(?:x{4}|X{4})|x{6}|X{6}',
    '\\*{3}|•{2}|\\.{3}|…|<|\\{\\{|\\$[{(]',
  ].join('|'),
)
const dottedName = /^!?[A-Za-z_$][\w$]{0,23}(?:(?:\?\.|[.?])[A-Za-z_$][\w$]{0,23})+$/
const identifier = /^[A-Za-z_$][\w$]*$/
const codeVocabulary =
  /token|passw|secret|cred|auth|user|hash|value|string|base64|sha\d|md5|utf8|bcrypt|argon|param|config|input|field|result|key$/i

/** `config.password`. A key may also have two parts: then one of them looks like a key. */
const isDottedName = (value: string): boolean =>
  dottedName.test(value) && !value.split('.').some((part) => part.length >= 12 && isRandomWord(part))

/** Random letters and digits, unlike the name of anything. */
const isRandomWord = (word: string): boolean =>
  /\d/.test(word) && /[a-z]/i.test(word) && looksRandom(word) && !codeVocabulary.test(word)

/** With a digit, or random letters. */
export const isUnlikeWords = (value: string): boolean => /\d/.test(value) || isScrambled(value)

/** Shannon entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** For random keys: if one contains `example` or `your`, a person wrote it. */
const isPlaceholder = (value: string): boolean => placeholderInside.test(value) || isWholePlaceholder(value)

/** For values whose prefix identifies them: anything that is not obviously made up. */
export function isPlausible(value: string): boolean {
  return !isPlaceholder(value) && entropy(value) >= 2.5
}

export const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** For values that only remain to be distinguished from `xxxx` or `0000`. */
export function isVaried(value: string): boolean {
  return entropy(value) >= 3
}

/** The secret of an AWS access key id. One in 64 begins like a path. */
export function isAmazonSecret(value: string, quoted: boolean): boolean {
  return (/^[A-Za-z0-9+/]{40}$/.test(value) && entropy(value) >= 4) || isAssignedKey(value, quoted)
}

/**
 * For values that may be words. Random text often changes between digits, lower and upper case; words and
 * identifiers rarely do. A capital at the beginning of a word does not count as a change.
 */
export function looksRandom(value: string): boolean {
  if (!isPlausible(value)) return false
  let changes = 0
  let letters = 0
  let previous = ''
  for (const character of value) {
    const current = characterClass(character)
    if (current === 'other') continue
    letters++
    if (previous !== '' && current !== previous && !(previous === 'capital' && current === 'small')) changes++
    previous = current
  }
  return entropy(value) >= 3 && changes >= letters * 0.2
}

/** For short prefixes: random text, or one run of letters and digits, unlike names in kebab-case. */
export function looksLikeKey(value: string): boolean {
  return looksRandom(value) || (isPlausible(value) && /\d/.test(value) && /[A-Za-z0-9]{20}/.test(value))
}

/** Several values or an object, in brackets. */
const isList = (value: string): boolean => /^[[{].*[\]}]$/.test(value)

/**
 * For a value assigned to a name such as `token` or `api_key`. Quoted values are literals; bare ones may be
 * code.
 */
export function isAssignedKey(value: string, quoted: boolean): boolean {
  if (value.length < 10 || isList(value) || !isPlausible(value) || entropy(value) < 3) return false
  if (isDottedName(value) || /^[,;)\]}]|\w@\w+\.[\w.]+\//.test(value) || !/[A-Za-z]/.test(value)) return false
  if (!/\d/.test(value)) return (quoted && looksRandom(value)) || isScrambled(value)
  if (quoted && !identifier.test(value)) return true
  return !codeVocabulary.test(value) || looksRandom(value)
}

/** A key of digits alone. A shorter number, or one that repeats a few digits, is a count or a time. */
export const isNumericKey = (value: string): boolean =>
  /^\d{9,64}$/.test(value) && entropy(value) >= 2 && !isCounted(value)

/** Words and small numbers: `build-22-linux-x64`. */
const slug = /^[a-z]{2,14}(?:[-._/:](?:[a-z]{1,14}\d{0,2}|\d{1,4})){2,8}$/i

/** For a value in a sentence, such as `the token is …`. What follows a name there is usually a word. */
export function isStatedKey(value: string, quoted: boolean): boolean {
  return (
    value.length >= 16 &&
    isUnlikeWords(value) &&
    !slug.test(value) &&
    isAssignedKey(value, quoted) &&
    looksLikeKey(value)
  )
}

/** Ids and fingerprints of keys, as GnuPG prints them. */
const keyId = /^(?:0x)?(?:[\dA-F]{16}|[\dA-F]{40}|[\da-f]{16}|[\da-f]{40})$/
const ofGpg =
  /gpg|pgp|signature|--(?:recv|send|edit|sign|lsign|delete|export|default|search|local)[a-z-]*$|(?:RS|DS|DH)A $/i
const ofSecret =
  /(?:api|secret|access|auth|private|client|master|service|encryption|app|deploy|license)[ ._-]{0,2}$/i

/** Whether a value is no key, but the id of one, by the words before `key`. */
export const isKeyId = (value: string, before: string): boolean =>
  keyId.test(value) &&
  (ofGpg.test(before) ||
    (/[A-F]/.test(value) ? !ofSecret.test(before) : value.length < 20 && /signing[ ._-]?$/i.test(before)))

function characterClass(character: string): 'digit' | 'small' | 'capital' | 'other' {
  if (character >= '0' && character <= '9') return 'digit'
  if (character >= 'a' && character <= 'z') return 'small'
  if (character >= 'A' && character <= 'Z') return 'capital'
  // Letters outside ASCII belong to words of some language, not to punctuation.
  return character > '\x7f' ? 'small' : 'other'
}

/**
 * Where the value was found: in quotes, or as the rest of a line that begins with the name (both are
 * literals), or elsewhere, where it may be code.
 */
type Form = 'quoted' | 'line' | 'code'

const LEAST = 6
const LEAST_WORD = 8

/** Further fields of a form or a connection string. */
const moreFields = /[&;]\w[\w .-]*=/
/**
 * What may precede an assigned name on its line: what tools write there, a keyword of a shell, or what kind
 * of password it is.
 */
const lineStart = new RegExp(
  `(?:${lineBegins}${linePrefix}|→|\\d[:-])[ \\t]*(?:(?:export|set|env|local|readonly|declare|\\$env:)[ \\t]*|(?:(?:auto-)?generated|temporary|initial|default|new|admin|root|login|sudo|master|your|shared|client)[ ]){0,3}[\\w.]*$`,
  'i',
)
const LINE_START = 160

/** The line ends, or a comment follows. */
const isAtEnd = ({ 0: { length }, groups, input, index }: RegExpExecArray): boolean =>
  /^(?:[\r\n"\\]|$)/.test(groups!.stop!) ||
  /^[ \t]{1,8}[;#] /.test(input.slice(index + length, index + length + 10))

export function formOf(match: RegExpExecArray): Form {
  if (match.groups?.quote !== undefined || match[0].includes('</key>')) return 'quoted'
  if (match.groups?.stop === undefined || !isAtEnd(match)) return 'code'
  if (moreFields.test(match.groups.rest ?? '')) return 'code'
  return lineStart.test(textBefore(match.input, match.index, LINE_START)) ? 'line' : 'code'
}

/** `config.password`, but not `Summer.Oreo2019`. In quotes, `?` alone is no operator. */
const isNameOfMember = (value: string, form: Form): boolean =>
  dottedName.test(value) &&
  !(form !== 'code' && isRandomWord(value)) &&
  !(form === 'quoted' && /\?(?!\.)/.test(value)) &&
  (!/\d{2}|[A-Z]\d[a-z]{2}/.test(value) || codeVocabulary.test(value))

/** Calls, markup, operators and arrows of code. A value that consists of one of these is not a password. */
const expression =
  /^!?[\w$.?]+(?:\(.*\)|\[.*\])[;,)}\]]*$|^!?[\w$]+(?:(?:\??\.|::|->)[\w$]+)*(?:(?:\([^()]*\)|\[[^[\]]*\])(?:(?:\??\.|::|->)[\w$]+)*)+[;,)}\]]*$|^<\/?[A-Za-z][\w.-]*\/?>|^<\/|^\{[\w.$]+\}[/>;,)]*$|&&|\|\||^=|=>|^\w+=(?:None|null|nil|undefined|[Tt]rue|[Ff]alse)[,;)]*$|[=!]==?(?!\d{2,}$|[A-Za-z]+\d{2,}$)|\?\.|^[A-Z]\w*<.*>[;,]?$|^\$\w+->|^0x[0-9a-fA-F]+[;,]?$|^[\w$.]+[;,]$|^\w*[Ss]tring!$|^(?:(?!.*\d{4}$|(?=\w{8})[A-Z]+\d[A-Z]*\d[A-Z\d]*$)|(?=SHA|AES|RSA|RFC|ISO|CVE|HMAC|UTF|BASE|PBKDF|N?VARCHAR))[A-Z][A-Z0-9_]*$/

/** The beginning of a call, an index or a block, or a negation: code, if its name looks like no password. */
function isUnfinished(value: string): boolean {
  const negated = value.startsWith('!') && identifier.test(value.slice(1))
  const [before, name] = negated ? ['!', value.slice(1)] : /^(?:!|\[)?([\w$.:]*)/.exec(value)!
  const isOpen = /[({[]$/.test(value) || (value[before.length] === '(' && !value.includes(')'))
  if (!negated && !isOpen) return false
  const mixed = /\d/.test(value) && /[A-Z]/.test(value)
  if (mixed && noArgument.test(value.slice(before.length + 1))) return false
  if (
    mixed &&
    /\w\(\w+$/.test(value) &&
    !value
      .replace(/^!/, '')
      .split('(')
      .every((part) => ofWords.test(part))
  )
    return false
  return name.length < LEAST || codeVocabulary.test(name) || !(isRandomWord(name) || /\d{3}/.test(name))
}

/** A name of words, unlike `zTk`. */
const ofWords = /^(?:[a-z]{2,}|[a-z]\d+$|[A-Z][a-z]+|[A-Z]{2,}(?![a-z])|\d+|[_.:$])*$/

/** No argument of a call begins with digits before letters, or has such a sign before a letter or digit. */
const noArgument = /^\d+(?!x)[A-Za-z]|.[!#%^~@][A-Za-z0-9]/

/** Base64 whose end is filled with `=`, which is no operator. */
const isPadded = (value: string): boolean =>
  value.length <= LONGEST &&
  /^[A-Za-z0-9+/_=-]{8,}={1,2}$/.test(value) &&
  (/\d/.test(value) || (value.length % 4 === 0 && /[a-z][A-Z][A-Za-z]*[a-z][A-Z]/.test(value)))

/** In HTML, an entity may stand for a quote. */
function isExpression(value: string): boolean {
  const plain = value.replace(/&#(?:39|x27);?/g, "'")
  return isUnfinished(plain) || expression.test(isPadded(plain) ? plain.replace(/=+$/, '') : plain)
}

/** For a value assigned to a name such as `password`. Passwords of people are short and contain words. */
export function isAssignedPassword(value: string, form: Form, shouted = false): boolean {
  const bare = form === 'line' ? value.replace(/[;,]$/, '') : value
  if (shouted && form === 'line' && isShortWord(bare)) return true
  if (bare.length < LEAST || isList(bare) || isWholePlaceholder(bare)) return false
  if (/^\d+$/.test(bare)) return entropy(bare) >= 1.5 && !isCounted(bare)
  if (entropy(bare) < 2 || isNameOfMember(bare, form) || (form !== 'quoted' && isExpression(value)))
    return false
  // Without letters, a value with other signs is a date, a version or a ratio.
  if (!/[^\x00-\x40]/.test(bare)) return false
  const classes = new Set(Array.from(bare, characterClass))
  if (!classes.has('digit'))
    return isPhrase(bare, classes, form) || (shouted && form === 'line' && isWord(bare)) || isScrambled(bare)
  return classes.size > 1 && !isName(bare, form)
}

/** Letters and a character that occurs neither in names nor in paths. */
const isPhrase = (value: string, classes: ReadonlySet<string>, form: Form): boolean =>
  classes.has('other') &&
  classes.size > 1 &&
  !(form === 'code' ? /^[\w$.?:/-]+$/ : /^[\w.?:/-]+$|^[$!]\w+$|^(?!\w*[a-z][A-Z]\w*!)\w+[!?:*]$/).test(value)

/** Letters alone only count after the name of an environment variable. */
const isWord = (value: string): boolean =>
  value.length >= LEAST_WORD && /^[A-Za-z][A-Za-z-]+$/.test(value) && /[a-z]/.test(value)

/** Also short ones, except for those that describe a value. */
const isShortWord = (value: string): boolean =>
  /^[A-Za-z]?[a-z]{4,6}$/.test(value) &&
  entropy(value) > 1.4 &&
  !isWholePlaceholder(value) &&
  !/^(?:str|int|bool|float|double|number|text|char|object|array|bytes|bin|buffer|base\d|req|opt|en|dis|un|in|auto|rand|never|always|maybe|ask|prompt|stdin|input|file|vault|path|value|plain|crypt|hash|expired?|wrong|valid|active|locked|missing|strict|weak|good|field|param|config|manual|write|read|only|prefer|allow|deny|abort|fail|error|given|known|match|shared|secure)/i.test(
    value,
  )

/**
 * An identifier of a program, such as `hashedPassword2`. A literal only counts as one if it ends in a single
 * digit.
 */
const isName = (value: string, form: Form): boolean =>
  identifier.test(value) &&
  codeVocabulary.test(value) &&
  (form === 'code' ? !looksRandom(value) : /^[a-z_$][A-Za-z_$]*\d?$/.test(value))

/** For `the password is …`. What follows a name in a sentence is usually a word. */
export const isStatedPassword = (value: string, form: Form): boolean =>
  value.length >= 8 &&
  !isTreatment(value) &&
  isUnlikeWords(value) &&
  isAssignedPassword(value, form === 'quoted' ? form : 'code') &&
  !(form === 'quoted' ? /[:/]/ : /^[a-z]+\d+$|[:/]/i).test(value)

/** Algorithms, versions, lengths and products, which sentences about passwords name. */
const namedThing =
  /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)\d{1,3}$|^v?\d+(?:\.\d+)+|^~?\d+-?[a-z]+$|^1[Pp]assword|^https?:|^~?[./]|[/:].*[/:]/

const algorithm =
  /^(?:argon2\w*|bcrypt\w*|scrypt\w*|pbkdf2\w*|sha-?\d+\w*|md5\w*|aes-?\d\S*|rsa-?\d*|base64\w*|utf-?\d+|oauth2?\S*|x\.?509|ed25519|http\S*|ipv[46])$/i

/** `base64-encoded`, `sha256-hashed`: what happened to it. */
const treated =
  /^[a-z]{2,8}[\d-]{0,8}[a-z\d-]*[-_](?:(?:en|de)(?:coded|crypted)|hashed|salted|signed|based|protected|derived|obfuscated|stretched|wrapped|gehasht|gesalzen|verschlüsselt|[ck]odiert)(?:[-_]?v?\d{1,3})?$/i

/** What programs store instead of a password. */
export const isStoredHash = (value: string): boolean =>
  /^\$(?:2[abxy]?|argon2\w*|[156y]|scrypt|pbkdf2)\$/.test(value)

export const isTreatment = (value: string): boolean =>
  algorithm.test(value) || treated.test(value) || isStoredHash(value)

/** For `the password is …` in any language. What follows a verb there is usually a word. */
export function isSpokenPassword(value: string): boolean {
  if (/^\d+$/.test(value)) return isAssignedPassword(value, 'quoted')
  if (!isUnlikeWords(value) || namedThing.test(value) || isTreatment(value)) return false
  if (/^[a-z\d]+(?:[-_][a-z\d]+)+$/.test(value) && codeVocabulary.test(value)) return false
  return isAssignedPassword(value, 'code')
}

/** For positions where only a password is possible, as after `sshpass -p`: anything but a placeholder. */
export const isGivenPassword = (value: string): boolean =>
  value.length >= 4 &&
  !/<\//.test(value) &&
  !(/^[{[(%]/.test(value) && !isUnclosed(value)) &&
  !isWholePlaceholder(value)

/** A sign that opens a placeholder, if nothing closes it. */
const isUnclosed = (value: string): boolean =>
  /^.[^\])}%([{]{5,}$/.test(value) && /[A-Za-z]/.test(value) && /\d/.test(value)

/** Text that people write instead of a secret. A value only counts as a placeholder as a whole. */

/** Combined with each other, these words make a placeholder, as in `my-secret-key`. */
const filling = new Set(
  (
    'my the a an some any this that with for of to is super very secure strong secret password passwd passphrase pass pwd key api token ' +
    'credential credentials value string text new old current default db database user name admin root app account email mail login ' +
    'service server client sql smtp prod dev staging local redis mysql postgres mongo random generated long test testing demo'
  ).split(' '),
)
/** One of these words makes the rest a placeholder, with up to four digits after it: `example-pass-1`. */
const marking = new Set(
  (
    'your yours our example sample dummy placeholder redacted change me replace insert enter put fill set type here todo tbd fixme foo ' +
    'bar baz qux lorem ipsum xxx xxxx hidden filtered masked removed omitted required optional none null nil undefined true ' +
    'false empty blank ' +
    // The same in other languages.
    'erforderlich vergessen falsch leer unbekannt gesetzt abgelaufen requerido requerida obligatorio obligatoria obligatoire requis ' +
    'requise facultatif richiesto richiesta obbligatoria wymagane vereist'
  ).split(' '),
)
/** Default passwords of images and examples. */
const shipped =
  /^(?:pass(?:word|wd|phrase)?|passwort|kennwort|wachtwoord|senha|contrase(?:ñ|n)a|parola|pwd|secret|token|user(?:name)?|admin|root|guest|postgres|mysql|mongo|redis|minio|test(?:ing)?|demo|local|dev|qwerty|letmein|welcome|string)(?:\d{0,2}|0{3,4}|123\d{0,6})$/i
/** Bracketed text, variables of shells and templates, format specifiers, decorators, parameters. */
const bracketed = /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}|\([^()]*\)|\(\([^()]*\)\)|<%.*%>|(__|@@)\w+\1)$/
const variable = /^(?:\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|%[sdv]|%\([\w.]+\)s|@[A-Za-z]+(?:\.[A-Za-z]+)*|:[a-z_]+)$/
const templated = /\$\{|^\$\(|\$\([^()]*\)|\{\{|#\{(?!enter\})|<%|\*{3}|•{2}|…/
const reference =
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env[.:]|secrets?\.|vars?\.|arn:|op:|vault:|file:|https?:)|^(?:~|\.{1,2})?\/[\w.@-]+(?:\/|$)|^[A-Za-z]:[\\/]/i
/** One in 64 random keys begins like a path. */
const isBase64Key = (value: string): boolean =>
  /^\/[A-Za-z0-9+/]{30,}={0,2}$/.test(value) && looksMixed(value) && entropy(value) >= 4
/** A digit, a small letter and a capital between two slashes or ends. */
const looksMixed = (value: string): boolean =>
  value.split('/').some((part) => /\d/.test(part) && /[a-z][A-Z]|[A-Z][a-z]*\d/.test(part))
/** What stands for a secret already, with what closes the text around it. */
const label = /^\[(?:REDACTED:[\w-]+|EMAIL|PHONE|USER)(?:#\w+)?\]\W{0,8}$/
/** One character repeated, perhaps in groups: `xxxx-xxxx`, `....`, `0000`. */
const filled = /^([xX*•._\-#?0+=~])(?:\1|[- ])+$/

const counted = '01234567890123456789'
/** `123456`, the placeholder among numbers. */
const isCounted = (digits: string): boolean => counted.includes(digits)

/** What a form has to check about a value: `required|string|min:8`. */
const validated =
  /^(?=.*\b(?:required|nullable|sometimes|string|confirmed|min:|max:))(?:[a-z_]+(?::[\w,.]+)?\|)+[a-z_]+(?::[\w,.]+)?$/

/** Longer values are not placeholders. */
const LONGEST = 120
const LONGEST_WORD = 12

/**
 * `changeme`, `<your-password>`, `${DB_PASSWORD}`, `xxxx`, `process.env.X`, whatever characters a password
 * may contain.
 */
export function isWholePlaceholder(value: string): boolean {
  if (templated.test(value) || (reference.test(value) && !isBase64Key(value))) return true
  if (value.length > LONGEST) return false
  return (
    bracketed.test(value) ||
    label.test(value) ||
    variable.test(value) ||
    filled.test(value) ||
    validated.test(value) ||
    shipped.test(value) ||
    isMadeOfWords(value.toLowerCase())
  )
}

const worded = /^(?!.*\d{4}!)([a-z][a-z-_ .]*?)([-_ .]?\d{1,4})?[!.]?$/
/**
 * `changeme2024` and `changeme123!` are placeholders. `MySecretKey2024` is a password, because it contains no
 * marking word, and so is `changeme2024!`, to which someone added more than a placeholder needs.
 */
function isMadeOfWords(value: string): boolean {
  const [, words, digits] = worded.exec(value) ?? []
  if (words === undefined) return false
  /** For each position, whether words end there: none, some, or some with a marking word. */
  const ends: ('none' | 'filling' | 'marking')[] = ['filling']
  for (let end = 1; end <= words.length; end++) {
    let best: 'none' | 'filling' | 'marking' = /[-_ .]/.test(words[end - 1]!) ? ends[end - 1]! : 'none'
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      if (ends[start] === 'none') continue
      const word = words.slice(start, end)
      if (marking.has(word)) best = 'marking'
      else if (filling.has(word) && best !== 'marking') best = ends[start]!
    }
    ends.push(best)
  }
  return (
    ends.at(-1) === 'marking' || (ends.at(-1) === 'filling' && digits === undefined && !value.endsWith('!'))
  )
}

/**
 * Decodes base64 as far as it is valid, to one character per byte. Browsers and Node share no other function
 * for this.
 */
export function fromBase64(text: string): string {
  const letters = text
    .replace(/[-_]/g, (each) => (each === '-' ? '+' : '/'))
    .replace(/=[\s\S]*$|[^A-Za-z0-9+/]/g, '')
  return atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters)
}
