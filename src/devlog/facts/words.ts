const WORD = /[\p{L}\p{N}]{3,}/gu
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const STEM = 5
/** Words that do not tell what a sentence is about, and the names of the two sides. */
const COMMON = new Set(
  'the and that this one every these those well with from for was were are has had have been its their they them then than there here what when where which while who whom whose how why will would could should can may might must not but only also just into onto over under after before about again more most much many some any all each both other another same such very too our your his her she him you out off per via yet once first last next new old now back down up human agent user assistant session sessions project der die das und nicht ist war wurde wurden ein eine einen einem einer den dem des mit von für auf aus bei nach vor über unter als auch noch nur dann wenn aber oder wie was wer mensch agent los las una uno unos unas del que con por para sin sobre entre desde hasta como cuando pero más menos muy fue era son está humano agente'.split(
    ' ',
  ),
)

/** The beginnings of the words that tell what a text is about. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (DENSE.test(word)) {
      for (let at = 0; at + 2 <= word.length; at++) stems.add(word.slice(at, at + 2))
      continue
    }
    if (!COMMON.has(word)) stems.add(word.slice(0, STEM))
  }
  return stems
}

/** How many of the first are among the second. */
export function shared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let count = 0
  for (const each of some) if (others.has(each)) count++
  return count
}
