/** What a message of the human can do to what the agent said or did. */
export type Reaction = 'correction' | 'course' | 'agreement'

/**
 * Words that show a reaction, each applied to one sentence. Only words that hold nearly always are listed.
 */
type Cues = Readonly<Record<Reaction, readonly RegExp[]>>

const english: Cues = {
  correction: [
    /\b(?:that|this|it|which)(?:'s| is| was) (?:wrong|incorrect|not right|not correct|not what|the wrong)\b|^(?:wrong|incorrect)\b/i,
    /\byou (?:forgot|missed|misunderstood|broke|removed|deleted|overlooked|misread|mixed up|ignored|skipped|fucked|messed)\b/i,
    /\bnot what i (?:wanted|meant|asked|said)\b|\bi (?:meant|asked for|said)\b.{0,60}\bnot\b|^(?:no,? )?i meant\b/i,
    /\bstill (?:broken|wrong|fails|failing|crashes|doesn't|does not|not working|missing|shows|the same)\b/i,
    /\b(?:is|are) (?:wrong|incorrect)\b|\bshould (?:be|go|have been) .{1,60}\bnot\b|\bis .{1,40}, not \S/i,
    /\bhow (?:can|could) you (?:say|claim)\b|\bi (?:already )?(?:gave|told) you\b|\bi already said\b/i,
    /, not [\w./-]+[.!]?$|\bi (?:undid|reverted) (?:your|that|it)\b|\btry again\b/i,
  ],
  course: [
    /\bi (?:strongly )?(?:disagree|don't agree|do not agree|don't think so)\b/i,
    /^(?:no+|nah|nope)(?:[,!]|\.(?=\s|$)|$| (?:no|that|this|it|we|i|you|don't|dont|not|please|leave|keep|just|let)\b)(?! (?:problem|worries|idea|rush))/i,
    /\blet'?s think\b.{0,12}\bfirst\b|\bnever ?mind\b|\b(?:roll|go|change|put) (?:it |this |that )?back\b|^(?:revert|undo)\b/i,
    /\bi(?:'d| would) rather\b|\blet's rather\b|\bi don't want\b|\blet's not\b|^not (?:the|in|as|like|with|per|here|there)\b/i,
    /^(?:stop|hold on)\b[,.!]|^wait\b[,.!]+ (?:don't|do not|no|not|stop|let|we|i)\b|\binstead,? (?:let's|use|make|do|we|i want)\b|\b(?:use|do|make|try) .{1,60} instead\b/i,
  ],
  agreement: [
    /^(?:yes|yep|yeah|yup|sure|agreed|exactly|correct|perfect|lgtm|absolutely|definitely|deal|go ahead|go for it|go with|do it|do that|ship it|sounds (?:good|great|reasonable|right)|makes sense|looks (?:good|great|right)|that looks right|that's it|all good|good idea|i agree|works (?:now|for me)|fine by me|beautiful|excellent|wonderful|awesome)\b/i,
    /^(?:ok(?:ay)?|alright|nice|great|cool|good|fine|right|ah good)[\s.!]*$/i,
    /^(?:ok(?:ay)?|alright|nice|great|cool|good|fine|right|ah good)[\s,.!]+(?:sounds|looks|go ahead|go with|do (?:it|that|this|\w+ then)|let's do (?:it|that|this)|that's|that is|works|agreed|yes|sure|makes|perfect)\b/i,
  ],
}

const german: Cues = {
  correction: [
    /\b(?:das|es) (?:ist|war) (?:falsch|nicht richtig|nicht korrekt|nicht das)\b|^falsch\b|\bstimmt (?:so )?nicht\b/i,
    /\bdu hast .{0,60}\b(?:vergessen|übersehen|verwechselt|gelöscht|falsch|missverstanden)\b|\bhast du (?:vergessen|übersehen)\b/i,
    /\bich meinte\b|\bso (?:war das|meinte ich das) nicht\b|\b(?:immer )?noch (?:kaputt|falsch|nicht)\b/i,
  ],
  course: [
    /^(?:nein|nö|auf keinen fall|halt|stopp?)\b/i,
    /\bsehe ich anders\b|\bbin (?:ich )?dagegen\b|\bnicht einverstanden\b|\bmach(?:e)? (?:das|es) rückgängig\b/i,
    /\bdoch lieber\b|\blass uns (?:doch|lieber)\b|\bstattdessen\b/i,
  ],
  agreement: [
    /^(?:ja|genau|einverstanden|passt|perfekt|super|gerne|klar|in ordnung|gute idee|stimmt|richtig|mach das|sieht gut aus|klingt gut|leg los)\b(?! (?:so )?nicht)/i,
    /^(?:ok(?:ay)?|gut|prima|schön|alles klar)(?:[\s.!]*$|[\s,.!]+(?:passt|mach|dann|so)\b)/i,
  ],
}

const spanish: Cues = {
  correction: [
    /(?:eso|esto|está|es) (?:no es correcto|está mal|no está bien|mal|incorrecto|no es lo que)/iu,
    /(?<!\p{L})(?:te olvidaste|se te olvidó|olvidaste|has olvidado|te faltó|borraste|te equivocaste|entendiste mal)(?!\p{L})/iu,
    /quería decir|me refería|no es lo que (?:pedí|quería|dije)|sigue (?:fallando|mal|roto|sin funcionar)|no es eso/iu,
  ],
  course: [
    /^no(?:[,.]|$| (?:quiero|lo|la|los|uses|pongas|borres|hagas|cambies))(?! (?:me gusta|está|funciona))/iu,
    /no estoy de acuerdo|no me convence|(?<!\p{L})(?:en lugar de|en vez de) eso|mejor (?:no|usa|usemos|hagamos)|vuelve a (?:como|la)|^(?:espera|para)[,.!]/iu,
  ],
  agreement: [
    /^(?:sí|de acuerdo|vale|perfecto|claro|exacto|genial|adelante|estupendo|hazlo|dale|me parece bien|me gusta|buena idea|correcto|está bien)(?!\p{L})/iu,
  ],
}

const french: Cues = {
  correction: [
    /(?:c'est|c'était|est|sont) (?:faux|incorrecte?s?|pas (?:ça|bon|correct|juste|ce que))|ce n'est pas (?:ça|ce que|bon|correct|juste)/iu,
    /tu (?:t'es trompé|as (?:oublié|mal compris|supprimé|cassé|confondu|raté))|je (?:parlais|voulais dire|voulais parler) /iu,
    /(?:ça|cela) ne (?:marche|fonctionne) (?:toujours )?pas|toujours (?:cassé|faux|en erreur|la même)/iu,
  ],
  course: [
    /^non(?!\p{L})(?! ?(?:c'est bon|ça va|merci))|je ne suis pas d'accord|(?:fais|utilise|prends|mets)[^.]{1,60} plutôt/iu,
    /je préfère(?:rais)? (?:que|qu')|plutôt que de|(?:reviens|annule|remets|laisse tomber)(?!\p{L})|^(?:stop|attends?)[,.! ]/iu,
  ],
  agreement: [
    /^(?:oui|d'accord|ok(?:ay)?|parfait|exact(?:ement)?|très bien|super|génial|vas-y|fais-le|bonne idée|ça marche|entendu|ça me va|c'est (?:bon|parfait))(?!\p{L})(?![^.!]{0,40} mais )/iu,
  ],
}

const portuguese: Cues = {
  correction: [
    /(?:isso|isto|está|é) (?:não está (?:certo|correto)|está errad[oa]|errad[oa]|incorret[oa]|não é o que)|está errad[oa]|não é isso/iu,
    /você (?:esqueceu|se enganou|entendeu (?:mal|errado)|apagou|quebrou|confundiu)|(?:eu )?(?:quis dizer|falei d[aeo]|estava falando d)/iu,
    /continua (?:falhando|errado|quebrado|sem funcionar)|ainda (?:não funciona|está errad[oa])/iu,
  ],
  course: [
    /^não(?:[,.!]|$| (?:quero|use|faça|mude|apague|coloque|precisa))|não concordo|em vez disso|prefiro que|melhor (?:não|usar|fazer)/iu,
    /(?:desfaz|desfaça|volt[ae] (?:ao|para|a))(?!\p{L})|^(?:espere?|para|pare)[,.! ]/iu,
  ],
  agreement: [
    /^(?:sim|de acordo|ok(?:ay)?|perfeito|exato|exatamente|claro|ótimo|pode (?:ser|fazer|seguir)|beleza|boa ideia|combinado|isso mesmo|concordo|certo)(?!\p{L})/iu,
  ],
}

/** Both ways of writing. */
const chinese: Cues = {
  correction: [
    /^不[对對](?!称|稱|应|應)|[错錯]了|不正[确確]|[弄搞][错錯]|有[误誤](?![差会會])|不是我(?:要|想|[说說])的/u,
    /你(?:漏|忘|[误誤]解|理解[错錯]|[删刪])了?|漏了|我的意思是|我[说說]的是/u,
    /[还還]是(?:不行|不[对對]|[报報][错錯]|有[问問][题題]|失[败敗])/u,
  ],
  course: [
    /^(?:不要|[别別]|不用|不行|不[，, ]|停|等一下|等等)(?!.*拼音)/u,
    /[还還]是.{0,12}吧|改回(?:[来來去]|原)|算了|不同意|我不想|我[觉覺]得不(?:行|好|[应應][该該])|撤[销銷回]/u,
  ],
  agreement: [
    /^(?:嗯[，, ]*)?(?:好的?|可以|行|同意|没问题|沒問題|是的|[对對]的|[对對]，|[没沒][错錯]|很好|不[错錯]|完美|就[这這][样樣]|[赞贊]成)(?!像)(?:[，,。！! 啊吧呀了]|就|$)/u,
  ],
}

const japanese: Cues = {
  correction: [
    /違います|違う(?:よ|。|$)|間違って|間違い|違っています|おかしくなり/u,
    /忘れて(?:い)?ます|抜けています|漏れています|そういう意味ではな/u,
    /まだ(?:動|直|壊|エラー|だめ)/u,
  ],
  course: [
    /^(?:いや|いいえ|違う、|待って|ストップ)|反対です|賛成できません|やめましょう/u,
    /ではなく.{0,30}(?:ほしい|しよう|したい|して)|それより|元に戻して/u,
  ],
  agreement: [
    /^(?:はい|いいですね|了解|わかりました|賛成|その通り|完璧|大丈夫|問題ありません|オーケー|OK|それでいい|うん)/u,
  ],
}

/** The languages whose reactions are found, by their codes. */
const READ: Readonly<Record<string, Cues>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
  pt: portuguese,
  zh: chinese,
  ja: japanese,
}

/** Words that are frequent in one language with Latin letters and rare in the others. */
const FREQUENT: Readonly<Record<string, RegExp>> = {
  en: /\b(?:the|and|you|this|that|with|of|is|it's|to|for|what|please|not|in|are|can|was|it|i|my|we)\b/giu,
  de: /(?<![\p{L}'’])(?:der|die|das|und|ist|nicht|ich|du|wir|ein|eine|mit|auf|für|bitte|noch|auch|wie|es|zu|den|dem|am|im|von|vom|zum|zur|wurden?|sind|einen|einem|einer|keine|sich|nach|bei|aus|über)(?!\p{L})/giu,
  es: /(?<![\p{L}'’])(?:el|los|las|que|es|por|con|para|una|está|pero|como|más|del|lo|se|y|en|no)(?!\p{L})/giu,
  fr: /(?<![\p{L}'’])(?:le|les|des|est|et|pas|une|pour|dans|que|qui|avec|je|tu|ce|du|sur|la|ne)(?!\p{L})|(?<!\p{L})(?:c|j|l|d|n|t|qu)['’](?=\p{L})/giu,
  pt: /(?<![\p{L}'’])(?:os|as|que|não|uma|com|para|está|mas|mais|do|da|em|você|isso|é|um|eu|por)(?!\p{L})/giu,
  it: /(?<![\p{L}'’])(?:il|gli|che|non|è|una|con|per|sono|della|di|questo|anche|più|ma)(?!\p{L})/giu,
  nl: /(?<![\p{L}'’])(?:het|een|niet|van|ik|je|en|dat|voor|met|zijn|ook|maar|wat|deze)(?!\p{L})/giu,
  pl: /(?<![\p{L}'’])(?:nie|się|jest|to|na|że|jak|ale|czy|dla|tego|proszę|już|tak)(?!\p{L})/giu,
  tr: /(?<![\p{L}'’])(?:bir|ve|bu|için|değil|çok|ama|gibi|daha|olarak|mı|mi)(?!\p{L})/giu,
  sv: /(?<![\p{L}'’])(?:och|att|det|som|inte|jag|är|en|på|för|med|den|har)(?!\p{L})/giu,
}

/** Scripts that tell a language, or at least that it is none of those with Latin letters. */
const SCRIPTS: readonly { language: string; letters: RegExp }[] = [
  { language: 'ja', letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu },
  { language: 'zh', letters: /\p{Script=Han}/gu },
  { language: 'ko', letters: /\p{Script=Hangul}/gu },
  { language: 'ru', letters: /\p{Script=Cyrillic}/gu },
  { language: 'ar', letters: /\p{Script=Arabic}/gu },
  { language: 'he', letters: /\p{Script=Hebrew}/gu },
  { language: 'hi', letters: /\p{Script=Devanagari}/gu },
  { language: 'th', letters: /\p{Script=Thai}/gu },
  { language: 'el', letters: /\p{Script=Greek}/gu },
]
const ASCII = /^[\x20-\x7e\s]*$/
const CODE = /```[\s\S]*?(?:```|$)|`[^`]*`/g
const NO_WORD = /[/\\_=<>{}[\]]/
const SEARCHED = 2000
/** A script or a word in so few places may be a name. */
const LEAST_SHARE = 0.2
const LEAST_LATIN_WORDS = 8
const SHORT = 6

/** The beginning of a text without code, paths and addresses. */
const proseIn = (text: string): string =>
  text
    .slice(0, SEARCHED)
    .replace(CODE, ' ')
    .replace(/\S+/g, (word) => (NO_WORD.test(word) ? ' ' : word))

/**
 * The language of a message, as a code: `en`. `und` if it has too few words to tell, or none that is known.
 * Russian stands for all languages with Cyrillic letters.
 */
export function languageOf(text: string): string {
  const { language, words, isShort } = guessOf(text)
  // One frequent word in a short message may be of another language.
  return words < 2 && isShort ? 'und' : language
}

/** The language of a text, also of one with a single frequent word. */
export const likelyLanguageOf = (text: string): string => guessOf(text).language

function guessOf(text: string): { language: string; words: number; isShort: boolean } {
  const sure = (language: string) => ({ language, words: Infinity, isShort: false })
  const searched = proseIn(text)
  const letters = searched.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return sure('und')
  if (!ASCII.test(searched))
    for (const { language, letters: own } of SCRIPTS)
      if ((searched.match(own)?.length ?? 0) / letters >= LEAST_SHARE) return sure(language)
  let [best, most] = ['und', 0]
  for (const [language, words] of Object.entries(FREQUENT)) {
    const count = searched.match(words)?.length ?? 0
    if (count > most) [best, most] = [language, count]
  }
  return { language: best, words: most, isShort: (searched.match(/\p{L}+/gu)?.length ?? 0) < SHORT }
}

export const isRead = (language: string): boolean => language in READ

/** Whether a text in an unknown language with Latin letters is long enough that something may be missed. */
export const isLong = (text: string): boolean =>
  (proseIn(text).match(/\p{L}{2,}/gu)?.length ?? 0) >= LEAST_LATIN_WORDS

/** Whether a sentence shows a reaction, in its language or, if that is unknown, in any with Latin letters. */
export function shows(sentence: string, reaction: Reaction, language: string): boolean {
  const cues = READ[language]
  const tables = cues ? [cues] : language === 'und' ? [english, german, spanish, french, portuguese] : []
  return tables.some((table) => table[reaction].some((words) => words.test(sentence)))
}

/** The name of a language in English. */
export const languageName = (language: string): string =>
  language === 'und'
    ? 'an unknown language'
    : (new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language)
