/** Words in a sentence that deny, limit or ask: without them it can say the opposite. */
export const REVERSING =
  /(?<![\p{L}])(?:not|no|never|none|nothing|nobody|neither|nor|without|unless|except|until|but|only|hardly|barely|cannot|don['’]?t|doesn['’]?t|didn['’]?t|won['’]?t|can['’]?t|isn['’]?t|aren['’]?t|wasn['’]?t|shouldn['’]?t|wouldn['’]?t|couldn['’]?t|mustn['’]?t|if|instead|rather|stop|refuse|avoid|fails?|failed|wrong|disagree|nicht|kein(?:e[nmrs]?)?|nie|niemals|nichts|niemand|ohne|außer|sondern|aber|nur|statt|falls|wenn|kaum|nunca|jamás|nada|nadie|ni|sin|salvo|excepto|pero|sino|solo|sólo|si|tampoco)(?![\p{L}])|[不没沒别別勿未非无無]|但|只|除非|如果|ない|ません|なく|ずに|ぬ|だけ|しか|もし|でも|が、/iu

/** Words that make a rule of something. */
export const GENERAL =
  /(?<![\p{L}])(?:always|never|every time|each time|all the time|constantly|repeatedly|usually|often|regularly|typically|habitually|again and again|time and again|keeps? \p{L}+ing|kept \p{L}+ing|(?:recurring|common|constant|persistent) (?:theme|pattern|problem|issue)|patterns?|themes?|immer(?: wieder)?|nie(?:mals)?|jedes Mal|ständig|oft|häufig|meistens|regelmäßig|siempre|nunca|cada vez|a menudo|constantemente|normalmente)(?![\p{L}])|总是|經常|经常|每次|一直|从不|從不|いつも|毎回|常に|決して|しばしば/iu

/** What happened. A sentence with such a word states a fact. */
export const HAPPENED =
  /(?<![\p{L}])(?:\p{L}{3,}ed|(?:was|were|been) \p{L}+(?:en|wn|lt|pt)|passed|failed|fixed|solved|repaired|agreed|accepted|approved|declined|refused|rejected|disagreed|decided|released|shipped|deployed|merged|committed|deleted|removed|crashed|broke|worked|published|tagged|switched|moved|migrated|added|wrote|created|rewrote|measured|proved|promised|said|asked|wanted|proposed|suggested|answered|explained|reported|installed|upgraded|reverted|interrupted|corrected|changed|renamed|tested|found|lost|leaked|finished|started|stopped|abandoned|completed|works|fails|passes|is done|are done|is finished|bestanden|fehlgeschlagen|scheiterte|behoben|repariert|gelöst|stimmte|lehnte|entschied|veröffentlicht|gelöscht|entfernt|geändert|hinzugefügt|funktioniert|sagte|fragte|wollte|schlug|falló|fallaron|pasó|pasaron|arregló|corrigió|aceptó|rechazó|decidió|publicó|borró|eliminó|añadió|cambió|funciona|dijo|preguntó|pidió|propuso|quería)(?![\p{L}])|通过|失败|修复|同意|拒绝|决定|发布|删除|添加|修改|说|問|合格|成功|失敗|修正し|直し|同意し|断っ|決め|公開し|削除し|追加し|変更し/iu

/** Words for an outcome, and the opposite of each. */
export const OUTCOMES: readonly { good: RegExp; bad: RegExp; about: 'decision' | 'test' | 'error' }[] = [
  {
    about: 'decision',
    good: /(?<![\p{L}])(?<!not )(?<!never )(?:agree[sd]?|accepted|approved|consented|welcomed|confirmed|said yes|stimmte(?:n)? zu|akzeptierte|aceptó|aprobó|acepto|de acuerdo)(?![\p{L}])|(?<!不)同意|賛成|承認/iu,
    bad: /(?<![\p{L}])(?:declined|refused|rejected|disagree[sd]?|objected|turned down|opposed|said no|lehnte(?:n)?|widersprach|rechazó|se negó)(?![\p{L}])|拒绝|不同意|反对|断っ|反対/iu,
  },
  {
    about: 'test',
    good: /(?<![\p{L}])(?<!not )(?:pass(?:ed|es|ing)?|succeeded|green|bestanden|grün|pasaron|pasan|verde)(?![\p{L}])|(?<!不)通过|成功|合格/iu,
    bad: /(?<![\p{L}])(?:fail(?:ed|s|ing)?|red|broken|fehlgeschlagen|scheiterte[n]?|rot|fallaron|fallan|fallaba)(?![\p{L}])|失败|失敗/iu,
  },
  {
    about: 'error',
    good: /(?<![\p{L}])(?<!not )(?<!never )(?:fixed|solved|repaired|resolved|gone|cured|behoben|repariert|gelöst|arregl(?:ó|ado|aron)|corrigió|resuelto)(?![\p{L}])|修复了|解决了|直っ|修正し/iu,
    bad: /(?<![\p{L}])(?:never fixed|not fixed|still fail(?:s|ed|ing)?|unsolved|gave up|nie behoben|nicht behoben|sin resolver|no se arregló)(?![\p{L}])|没有修复|未解决|直ら/iu,
  },
]

const NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
    'un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  ].flatMap((words) => words.split(' ').map((word, index) => [word, index + 1] as const)),
)
const MORE: Readonly<Record<string, number>> = {
  ...{ thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90, hundred: 100 },
  ...{ dozen: 12, thousand: 1000, dreißig: 30, vierzig: 40, fünfzig: 50, hundert: 100, dutzend: 12 },
  ...{ tausend: 1000, treinta: 30, cuarenta: 40, cincuenta: 50, cien: 100, docena: 12, mil: 1000 },
  ...{ twice: 2, thrice: 3, zweimal: 2, dreimal: 3, second: 2, third: 3, half: 0.5 },
}
/** Words that are also articles, or "eleven" in Spanish and "once" in English. */
const AMBIGUOUS = new Set(['one', 'ein', 'un', 'once', 'elf', 'acht', 'second', 'half', 'mil'])
const DENSE_DIGITS = '一二三四五六七八九十'

/** The value of a number word, or undefined. */
export const numberWord = (word: string): number | undefined =>
  AMBIGUOUS.has(word) ? undefined : (NUMBERS[word] ?? MORE[word])

/** The value of a number in Chinese or Japanese characters up to 99. */
export function denseNumber(text: string): number | undefined {
  const [tens, ones] = text.replace(/[两兩]/g, '二').split('十')
  const digit = (character: string): number => DENSE_DIGITS.indexOf(character) + 1
  if (ones === undefined) return text.length === 1 ? digit(tens!) || undefined : undefined
  return (tens === '' ? 1 : digit(tens!)) * 10 + (ones === '' ? 0 : digit(ones))
}
