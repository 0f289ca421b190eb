/** The English words whose forms begin differently, with all of their forms. */
const FAMILIES = `
  become became, begin began begun, bind bound, break broke broken, bring brought, build built, buy bought,
  catch caught, choose chose chosen choice, come came, draw drew drawn, drive drove driven, eat ate eaten,
  fall fell fallen, feel felt, fight fought, fly flew flown, forbid forbade, forget forgot forgotten, freeze
  froze frozen, give gave given, go goes went gone, grow grew grown, hang hung, hide hid hidden, hold held,
  keep kept, know knew known, lead led, leave left, lose lost loss losses, make made making, mean meant,
  meet met, override overrode overridden, overwrite overwrote overwritten, pay paid, rebuild rebuilt, rerun
  reran, rewrite rewrote rewritten, ride rode ridden, ring rang rung, rise rose risen, run ran, see saw
  seen, seek sought, sell sold, send sent, shake shook shaken, shoot shot, shrink shrank shrunk, sing sang
  sung, sink sank sunk, sleep slept, speak spoke spoken, spend spent, spin spun, stand stood, steal stole
  stolen, stick stuck, strike struck, swim swam swum, take took taken, teach taught, tear tore torn, think
  thought, throw threw thrown, understand understood, wake woke woken, wear wore worn, win won, wind wound,
  withdraw withdrew withdrawn, write wrote written, child children, foot feet, index indices indexes, life
  lives, man men, matrix matrices, mouse mice, person people, tooth teeth, vertex vertices, wife wives,
  woman women, admit admission, advise advice, analyze analyse analysis analyses, apply application, behave
  behavior behaviour, believe belief, compare comparison, conclude conclusion, convert conversion, decide
  decision decisions, deny denial, describe description, destroy destruction, divide division, exclude
  exclusion, expand expansion, explain explanation, extend extension, include inclusion, introduce
  introduction, permit permission, produce production, prove proof, receive receipt, reduce reduction,
  remove removal, repeat repetition, respond response, retain retention, solve solution, subscribe
  subscription, succeed success, suspend suspension`

const families = new Map(
  FAMILIES.split(',').flatMap((family) => {
    const forms = family.trim().split(/\s+/)
    return forms.map((form): [string, string[]] => [form, forms])
  }),
)

const DOUBLED = /^([a-z]{2,}([bdgkmnprt]|(?<=[a-z]{5})l))\2(?:ed|ing|er|ers)$/
const SHORT = /^([a-z]{3})s?$/
const VERSION = /^(v?)(\d+(?:\.\d+)+)$/

/**
 * The English forms of a word that do not begin with its `stem`, or would not be all that does: `dropped`
 * leads to `drop`, `logs` to `log`, `log` to `logging` but not to `login`, and `chose` to
 * `choose`. A version also without or with its `v`. In small letters.
 */
export function inflectedFormsOf(word: string, stem: string): string[] {
  const [, v, version] = VERSION.exec(word) ?? []
  if (version !== undefined) return [v === '' ? `v${version}` : version]
  const family = families.get(word) ?? families.get(stem) ?? families.get(`${stem}e`) ?? []
  const [, base] = DOUBLED.exec(word) ?? SHORT.exec(word) ?? []
  if (base === undefined) return family
  const endings = ['', 's', 'es', 'ed', 'ing', `${base.at(-1)}ed`, `${base.at(-1)}ing`]
  return [...family, ...(families.get(base) ?? []), ...endings.map((ending) => base + ending)]
}
