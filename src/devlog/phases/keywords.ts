const WORD = /[\p{L}\p{N}_./-]{4,}/gu
/** Pairs of characters stand for words in scripts without spaces. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/gu
const MAYBE_DENSE = /[\u3040-\u9fff]/
const LONGEST = 2000
const COMMON = new Set(
  'about after again also another because been before being both came cannot could does done each else even every file files first from good have here into just like look made make more most much need next only other over please really same should show some still such sure take than thank thanks that their them then there these they thing think this those time under update using very want well were what when where which while will with work would write your aber alle auch beim bitte dann dass dein diese einen eine einem einer gibt haben hast kann machen mach mehr mein nicht noch oder schon sein sich sind soll über warum wenn werden wird para pero este esta esto como cuando donde todo todos hace hacer favor'.split(
    ' ',
  ),
)

/** The words of a text that tell topics apart. */
export function keywordsOf(text: string): Set<string> {
  const searched = text.slice(0, LONGEST).toLowerCase()
  const dense = MAYBE_DENSE.test(searched) ? (searched.match(DENSE) ?? []) : []
  const words = [...(searched.match(WORD) ?? []), ...dense]
  return new Set(words.filter((word) => !COMMON.has(word)))
}
