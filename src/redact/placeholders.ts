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
    'false empty blank'
  ).split(' '),
)
/** Default passwords of images and examples. */
const shipped =
  /^(?:pass(?:word|wd|phrase)?|passwort|kennwort|wachtwoord|senha|contrase(?:ñ|n)a|parola|pwd|secret|token|user(?:name)?|admin|root|guest|postgres|mysql|mongo|redis|minio|test(?:ing)?|demo|local|dev|qwerty|letmein|welcome|string)(?:\d{0,3}|1234\d{0,5})$/i
/** Bracketed text, variables of shells and templates, format specifiers, decorators, parameters. */
const bracketed = /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}|\([^()]*\)|<%.*%>|__\w+__)$/
const variable = /^(?:\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|%[sdv]|%\([\w.]+\)s|@[A-Za-z]+(?:\.[A-Za-z]+)*|:[a-z_]+)$/
const templated = /\$\{|\$\(|\{\{|#\{|<%|\*{3}|•{2}|…/
const reference =
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env[.:]|secrets?\.|vars?\.|arn:|op:|vault:|file:|https?:)|^(?:~|\.{1,2})?\/[\w.@-]+(?:\/|$)|^[A-Za-z]:[\\/]/i
/** What stands for a secret already, with what closes the text around it. */
const label = /^\[(?:REDACTED:[\w-]+|EMAIL|PHONE|USER)(?:#\w+)?\]\W{0,8}$/
/** One character repeated, perhaps in groups: `xxxx-xxxx`, `....`, `0000`. */
const filled = /^([xX*•._\-#?0+=~])(?:\1|[- ])+$/

const counted = '01234567890123456789'
/** `123456`, the placeholder among numbers. */
export const isCounted = (digits: string): boolean => counted.includes(digits)

/** Longer values are not placeholders. */
const LONGEST = 120
const LONGEST_WORD = 12

/**
 * `changeme`, `<your-password>`, `${DB_PASSWORD}`, `xxxx`, `process.env.X`, whatever characters a password
 * may contain.
 */
export function isWholePlaceholder(value: string): boolean {
  if (templated.test(value) || reference.test(value)) return true
  if (value.length > LONGEST) return false
  return (
    bracketed.test(value) ||
    label.test(value) ||
    variable.test(value) ||
    filled.test(value) ||
    shipped.test(value) ||
    isMadeOfWords(value.toLowerCase())
  )
}

const worded = /^([a-z][a-z-_ .]*?)([-_ .]?\d{1,4})?[!.]?$/
/** `changeme2024` is a placeholder. `MySecretKey2024` is a password, because it contains no marking word. */
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
