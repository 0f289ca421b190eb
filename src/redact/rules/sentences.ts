/**
 * Parts of patterns for sentences in English, German, French, Spanish, Italian, Portuguese, Polish,
 * Chinese.
 */

const verbs = [
  ...['is', 'was', 'reads', 'will be', 'has been (?:set|changed|reset) to'],
  '(?:(?:was|is|got) )?(?:set|changed|reset|updated) to',
  ...['ist', 'war', 'lautet', '(?:wurde|wird) (?:jetzt |nun )?(?:auf|in|zu)', 'heißt'],
  ...['est', "c['’]est", 'était', 'sera', 'devient', 'a été (?:changé|remplacé|modifié|mis)e? (?:en|par|à)'],
  ...['es', 'era', 'será', 'ahora es', '(?:se )?cambió a'],
  ...['è', 'sarà', 'è stat[ao] (?:cambiat|impostat)[ao] (?:in|a)', 'é', 'foi (?:alterad|mudad)[ao] para'],
  ...['to', 'brzmi', 'jest', 'będzie', 'zmieniono na', 'wynosi'],
]
const adverbs = 'now|still|just|currently|jetzt|nun|aktuell|maintenant|désormais|ahora|ora|adesso|agora|teraz'
const chinese = '(?:现在|目前|已经?|就)?(?:是|为|為|改成了?|改为|设为|設為)'

/** `is`, `lautet`, `是`, or a colon. */
export const verb = `(?:(?:[’']s|[ \\t]{1,3}(?:${verbs.join('|')}))(?:[ \\t](?:${adverbs}))?[ \\t]{0,2}[:=]?[ \\t]{1,3}|[ \\t]{0,3}${chinese}[ \\t]{0,3}[:：]?[ \\t]{0,3}|[ \\t]{0,3}[:：=][ \\t]{0,3})`
/** `for the server`, `von Bob`: words between the name of the secret and the verb. */
export const between = String.raw`(?:[ \t]{1,2}(?!(?:is|ist|est|es|è|é|not|and|or|und|et|y|e|i)[ \t])[\p{L}\p{N}@._/'’()-]{1,32}){0,6}?`

const marks = String.raw`"'\x60“”„«»‘’「」『』<>\\`
/** What emphasizes a value. */
export const opening = String.raw`\\{0,16}["'\x60“”„«»‘*_(「『]{0,3} ?`
/** A value in a sentence. A sign at the end of the sentence does not belong to it. */
export const spokenValue = String.raw`([^\s,${marks}，。；、！？]{4,127}[^\s,${marks}，。；、！？.;:)*_])`
