import {
  isAssignedKey,
  isAssignedPassword,
  isNumericKey,
  isStoredHash,
  isWholePlaceholder,
  uuid,
} from '../judge.ts'
import {
  chinesePasswordWords,
  doubtfulPasswordWords,
  keyWords,
  passwordWords,
  unspacedPasswordWords,
} from './secret-words.ts'

/** Headings of columns: which of them announce secrets, and what is a secret below one. */

/** A heading as lower-case words: `mot_de_passe`, `clientSecret` and `API Key` have the same form. */
const wordsOf = (title: string): string =>
  title
    .replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[\s_.'’-]+/g, ' ')
    .toLowerCase()

const passwords = [...passwordWords, ...unspacedPasswordWords, ...chinesePasswordWords].map(wordsOf)
/** The long ones may also be the end of another word, as in `Benutzerkennwort` and `dbpassword`. */
const passwordHeading = new RegExp(
  `(?:^| )(?:pw|psk|pass|${doubtfulPasswordWords.join('|')})$|(?:password|passwd|passphrase|passcode|pwd|contrase[ñn]a|${passwords.join('|')}) ?\\d?$`,
  'u',
)
const keyOwners =
  'api|access|secret|private|auth|encryption|signing|master|shared|service|deploy|license|admin|ssh|webhook|ключ'
const keyHeading = new RegExp(
  `(?:^| )(?:secret|token|otp|mnemonic|(?:${keyOwners}) ?key|${keyWords.map(wordsOf).join('|')})$|^(?:access|admin|api|app|auth|bot|client|refresh|session|zugangs|zugriffs)(?:token|secret)$`,
  'u',
)
const LONGEST_HEADING = 60

const isPasswordHeading = (title: string): boolean => passwordHeading.test(wordsOf(title))

/** Whether a column of this name holds secrets. */
export function isSecretHeading(title: string): boolean {
  if (title.length > LONGEST_HEADING) return false
  const words = wordsOf(title)
  return isPinHeading(title) || passwordHeading.test(words) || (keyHeading.test(words) && !ofIds.test(words))
}

/** Tokens of pages and documents, and those that make a request unique. */
const ofIds =
  /(?:page|next|continuation|sync|cursor|csrf|xsrf|doc|document|node|file|folder|sheet|table|idempotency) token$/

const isPinHeading = (title: string): boolean => /(?:^|[ _])PIN(?:[- ]?code)?$/i.test(title)

/** Judges a value of the column. */
export const judgeOfColumn = (title: string): ((value: string) => boolean) => {
  if (isPinHeading(title)) return (value) => /^\d{4,8}$/.test(value)
  return isPasswordHeading(title)
    ? (value) => (isAssignedPassword(value, 'quoted') || isWordAndSign(value)) && !isNoValue(value)
    : (value) => (isAssignedKey(value, true) && !isName(value) && !isNoValue(value)) || isNumericKey(value)
}

/** `sunflower!`: where only passwords are, a sign is enough. */
const isWordAndSign = (value: string): boolean =>
  /^[A-Za-z]{5,64}[!*]$/.test(value) && !isWholePlaceholder(value)

/** The type of a column, a call, an object, or a hash. */
const isNoValue = (value: string): boolean =>
  /^[\w$.]+\(.*\)[;,]?$|^[{[(]"/.test(value) || isStoredHash(value)

/** Short words between signs, or words with a number behind them: `db-tls-v2`, `colorBrandBackground2`. */
const isName = (value: string): boolean =>
  !uuid.test(value) &&
  (/^[$@-]{0,2}[a-z]{2,14}(?:[-._/](?:[a-z]{1,14}\d{0,2}|\d{1,4}|[a-z\d]{5}$)){1,8}$/.test(value) ||
    /^[A-Za-z]+\d{1,2}$/.test(value))

/** A heading, perhaps with a remark in brackets. A column of numbers may have none. */
const heading =
  /^(?:[#№]|\d{0,2}[\p{L}_][\p{L}\p{M}\p{N}_ ./&#%+'’-]{0,40}(?:\([^()]{0,24}\)[\p{L} ]{0,12}|\[[^[\]]{0,40}\])?)$/u
/** What emphasizes a heading, or stands next to it. */
const aroundHeading =
  /^(?:[-+<>*_`\s\ufeff]|\p{Extended_Pictographic}|\p{M}|\u200d)+|(?: ?\([^()]{0,24}\)| ?\[[^[\]]{0,40}\])?[*_`?:\s]{0,4}$/gu
export const titleOf = (cell: string): string => cell.replace(aroundHeading, '')

/** Headings of columns that say whom a secret belongs to. */
const companion =
  /user|name|mail|login|url|uri|host|account|title|site|service|domain|role|type|server|port|database|app|env|variable|system|device|client|project|owner|key|^id$/i
/** Words of sentences and statements. */
const ofSentences =
  /(?:^| )(?:the|an?|and|or|your|my|our|this|is|are|was|to|of|with|for|not|no|see|select|from|where|import|return|const|let|var|def|function|enter|und|oder|der|die|das|le|la|el|et|y)(?: |$)/i
const MOST_WORDS = 4

/** Headings next to that of a password that has no other name than `pass`, which tests do as well. */
const account = /user|name|mail|login|host|account|server|site|url|database|benutzer|usuario|utilisateur/i
const ofTests = /fail|skip|total|test|suite|check/i

/** Headings next to that of a PIN, which connectors have as well: of a person, a card or an account, */
const person =
  /user|login|mail|account|owner|holder|card|customer|person|employee|member|karte?|kunde|inhaber|benutzer|konto|tarjeta|titular|usuario|cuenta|cart[ãae]|compte|utilisateur|utente|conto|conta|cliente|użytkownik|klient|用户|用戶|姓名|卡/i
/** or of a name in front of it, without what connectors and addresses have: in India, it is a postal code. */
const personName = /^(?:(?:first|last|full) ?)?name$|^(?:nombre|nom|nome|imię|nazwisko)$/i
const ofConnectors =
  /gpio|pin|sign|func|dir|mode|conn|board|net|volt|pull|type|wire|port|bus|chip|led|sensor|desc|city|town|stat|distr|addr|country|region|loca|post|zip/i

function isOfPerson(all: readonly string[], title: string): boolean {
  // A program's name may be before the line.
  const others = all.filter((each) => each !== title && each !== '' && !/^\d|^[\w-]+[-_]\d\b/.test(each))
  return (
    others.some((each) => person.test(each)) ||
    others.some(
      (each) =>
        personName.test(each) &&
        all.indexOf(title) > all.indexOf(each) &&
        !others.some((other) => ofConnectors.test(other)),
    )
  )
}

/** A line of titles, and what a program may have written before them. */
export interface Header {
  titles: readonly string[]
  prefixes: readonly string[]
  /** Whether signs separate it from its rows. */
  isFramed: boolean
}

/** Whether these are the headings of a table, in which the column of a title may hold secrets. */
export function isHeader({ titles, prefixes, isFramed }: Header, title: string): boolean {
  const isNumbering = (each: string, at: number): boolean => each === '' && at === 0
  if (!isFramed && !titles.every((each, at) => heading.test(each) || isNumbering(each, at))) return false
  const all = [...titles, ...prefixes]
  if (isPinHeading(title)) return isOfPerson(all, title)
  if (/(?:pass|κωδικός|clave)$/i.test(title))
    return all.some((each) => account.test(each)) && !all.some((each) => ofTests.test(each))
  if (!isFramed && all.filter((each) => each !== '').length < 2) return false
  const others = [...titles.filter((each) => each !== title), ...prefixes]
  if (isFramed || others.some((each) => companion.test(each))) return true
  return new Set(titles).size === titles.length && titles.every(isPlain)
}

/** A few words that are no part of a sentence. */
const isPlain = (title: string): boolean =>
  !ofSentences.test(title) && title.split(' ').length <= MOST_WORDS && !/[.'’]/.test(title)
