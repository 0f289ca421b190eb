import { simplify } from './characters.ts'

/**
 * Words that questions contain but answers need not, by language. Excludes words that mean something else to
 * programmers, such as `ci`, `os` and `bin`. Apostrophes split words, so `don't` is `don` and `t`.
 */
const LANGUAGES: Record<string, string> = {
  english: `a an the and or but not no nor so if then than as at by for from in into of off on onto out over to up with about after
    before between during through under again i me my mine we us our you your he him his she her it its they them their this that these
    those there here what which who whom whose when where why how is am are was were be been being do does did done doing have has had
    having can could will would shall should may might must let lets s t d ll m re ve don doesn didn isn aren wasn weren won wouldn
    couldn shouldn hasn haven hadn any some all each every just only also too very please tell show find say said says get got`,
  german: `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine wenn dann als wie wo was wer wen wem
    warum wieso weshalb wann welche welcher welches ich mich mir mein meine du dich dir dein er ihn ihm sie ihr ihre es wir uns unser
    in im an am auf aus bei beim mit nach von vom vor zu zum zur für über unter durch um ist sind war waren sein bist hat habe
    haben hatte hatten wird werden wurde wurden kann können konnte soll sollte muss musste darf auch noch nur schon so sehr hier da dass
    ob bitte zeig sag gesagt`,
  french: `le la les l un une des du de d et ou mais ne pas non si comme que qui quoi quel quelle quels quelles où quand pourquoi comment
    je j me m mon ma mes tu te t ton ta tes il elle on nous notre vous votre ils elles leur se s son sa ses ce cet cette ces c y en au aux
    à dans par pour sur sous avec sans est sont était été être ai as a avons avez ont avait avoir fait faire peut doit aussi très
    plus est-ce`,
  spanish: `el la los las lo un una unos unas y e o u pero no si como que qué quien quién cual cuál cuando cuándo donde dónde por porque
    cómo yo me mi mis tú te tu tus él ella nos nuestro se su sus este esta esto estos estas ese esa eso de del a al en con sin para sobre
    es son era eran fue ser está están estar hay ha han he haber hace hacer puede debe también muy más ya`,
  italian: `il lo la i gli le un uno una e o ma non se come che chi cosa quale quali quando dove perché di del della dei delle a al alla
    da dal in nel nella con su per tra fra io mi mio mia tu ti tuo lui lei si suo sua noi nostro voi questo questa è sono era erano
    essere ho hai ha abbiamo hanno avere può deve anche molto più già`,
  portuguese: `o a as um uma uns umas e ou mas não se como que quem qual quais quando onde por porque eu me meu minha tu te teu ele ela
    nós nosso seu sua este esta isto esse essa isso de do da dos das em no na nos nas com sem para sobre é são era eram foi ser está
    estão estar há tem têm ter pode deve também muito mais já`,
  russian: `и или но не нет да же ли бы если как что кто где когда почему зачем какой какая какие я меня мне мой мы нас нам наш ты тебя
    твой вы вас вам ваш он его ему она её ей оно они их им это этот эта эти тот в во на по с со к ко из от до за для о об у над под при
    был была было были есть быть можно надо уже ещё только тоже очень`,
  chinese: `的 了 是 在 我 你 您 他 她 它 我们 你们 他们 和 与 或 也 都 就 不 没 没有 有 这 那 这个 那个 什么 怎么 怎样 如何 为什么 为 哪 哪个 哪里
    谁 吗 呢 吧 啊 把 被 给 对 从 到 要 会 能 可以 请 一个 一下 上 下 里 中 很 还 再 又`,
  japanese: `の に は を が で と も へ から まで より や か ね よ な だ です ます でした ました した して する ください これ それ あれ この その あの
    ここ そこ 何 なに なぜ どう どこ いつ だれ 誰 どの こと もの ある いる ない`,
}

/** In lower case and simplified characters. */
const STOP_WORDS = new Set(Object.values(LANGUAGES).flatMap((words) => words.split(/\s+/)))

/** Whether a word is one that questions contain but answers need not, in any of the languages. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(simplify(word.toLowerCase()))
