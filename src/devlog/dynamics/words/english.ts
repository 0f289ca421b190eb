import { type CueTable, medium, strong, weak } from './cue.ts'

const VERBS =
  'add|allow|build|bump|change|check|clean|commit|convert|copy|create|debug|delete|deploy|describe|design|do|document|draft|drop|explain|export|extract|find|fix|generate|give|go on|help me|implement|import|improve|install|investigate|list|look|make|merge|migrate|move|open|port|prepare|push|put|read|rebase|refactor|release|remove|rename|replace|rerun|reset|restore|review|rewrite|run|search|set up|show|simplify|sort|split|start|stop|summarize|switch|tell me|test|think about|translate|try|turn|undo|update|upgrade|use|write'

export const english: CueTable = {
  intent: [
    strong(/\b(?:i|we) (?:want|need|would like)\b|\bi'd like\b|\bhelp me\b/i),
    strong(
      new RegExp(
        `^(?:(?:ok(?:ay)?|alright|now|next|then|and|also|so|first|please|great|good|just|cool),? )*(?:please )?(?:${VERBS})\\b`,
        'i',
      ),
    ),
    strong(/\b(?:let's|let us|we (?:have to|should|must)|goal is|task is|the idea is)\b/i),
    medium(/\bplease\b/i),
    medium(new RegExp(`\\b(?:and|then) (?:${VERBS})\\b`, 'i')),
  ],
  request: [
    strong(
      /(?:^|[,:.] )(?:(?:ok(?:ay)?|cool|now|and|also|so|actually|btw|like|oh|hey|ah good),? )*(?:can|could|would|will) (?:you|u|we)\b(?! (?:store|think|still))/i,
    ),
  ],
  proposal: [
    strong(
      /\bi(?:'d| would)? (?:suggest|propose|recommend)\b|\bmy (?:proposal|recommendation|suggestion)\b/i,
    ),
    strong(
      /(?<!\b(?:what|which|where|how|when) )\b(?:shall|should) i (?:start|begin|go|continue|proceed|also|do|add|remove|write|drop|fix|make|run|move|keep|leave|lower|update|change|implement|create|commit)\b/i,
    ),
    strong(
      /\b(?:do you want me|would you like me|want me) to\b|\bi (?:would|could) (?:put|go with|use|keep|split|move|start)\b/i,
    ),
    strong(/^ready (?:for|to)\b.*\?/i),
    strong(/^(?:my )?(?:proposed )?(?:proposal|plan|suggestion)s?\b.{0,40}:/i),
    medium(
      /\b(?:we|one) could\b|\balternatively\b|\banother option\b|\b(?:two|three|four) (?:ways|options|approaches)\b|^options?\b.{0,20}:/i,
    ),
  ],
  asking: [medium(/^(?:what|why|how|who|where|when|which)\b.{0,60}\b(?:again|exactly)\.?$/i)],
  agreement: [
    strong(
      /^(?:yes|yep|yeah|yup|sure|agreed|exactly|correct|perfect|lgtm|absolutely|definitely|deal|go ahead|go for it|go with|do it|do that|ship it|sounds (?:good|great|reasonable|right)|makes sense|looks (?:good|great|right)|that looks right|that's it|all good|good idea|i agree|works (?:now|for me)|fine by me|beautiful|excellent|wonderful|awesome)\b/i,
    ),
    medium(/^(?:ok(?:ay)?|alright|nice|great|cool|good|fine|right|ah good)[\s.!]*$/i),
    strong(
      /^(?:ok(?:ay)?|alright|nice|great|cool|good|fine|right|ah good)[\s,.!]+(?:sounds|looks|go ahead|go with|do (?:it|that|this|\w+ then)|let's do (?:it|that|this)|that's|that is|works|agreed|yes|sure|makes|perfect)\b/i,
    ),
    strong(/^(?:looks|sounds|works|seems) (?:good|great|fine|right|perfect|reasonable)\b/i),
  ],
  disagreement: [
    strong(
      /\bi (?:strongly )?(?:disagree|don't agree|do not agree|don't think so)\b|\bi don't think\b.{0,40}\b(?:is|should|would|need|good|right)\b/i,
    ),
    strong(
      /^(?:no+|nah|nope)(?:[,!]|\.(?=\s|$)|$| (?:no|that|this|it|we|i|you|don't|dont|not|please|leave|keep|just)\b)(?! (?:problem|worries|idea|rush))/i,
    ),
    strong(/\bnah+\b|\blet'?s think\b.{0,12}\bfirst\b/i),
    strong(/\bi(?:'d| would) rather\b|\blet's rather\b|\bi don't want\b/i),
    strong(/^not (?:the|in|as|like|with|per|here|there)\b/i),
    medium(/\binstead\b|\brather than\b/i),
    weak(/^but\b|\btoo (?:slow|much|complex|complicated|risky|heavy)\b/i),
  ],
  correction: [
    strong(
      /\b(?:that|this|it|which)(?:'s| is| was) (?:wrong|incorrect|not right|not correct|not what|the wrong)\b|^(?:wrong|incorrect)\b/i,
    ),
    strong(
      /\byou (?:forgot|missed|misunderstood|broke|removed|deleted|overlooked|misread|mixed up|ignored|skipped|fucked|messed)\b/i,
    ),
    strong(
      /\bnot what i (?:wanted|meant|asked|said)\b|\bi (?:meant|asked for|said)\b.{0,60}\bnot\b|^i meant\b/i,
    ),
    strong(
      /\bstill (?:broken|wrong|fails|failing|crashes|doesn't|does not|not working|missing|shows|the same)\b/i,
    ),
    strong(
      /\b(?:is|are) (?:wrong|incorrect)\b|\bshould (?:be|go|have been) .{1,60}\bnot\b|\bis .{1,40}, not \S/i,
    ),
    strong(
      /\bhow (?:can|could) you (?:say|claim)\b|\bi (?:already )?(?:gave|told) you\b|\bi already said\b/i,
    ),
    strong(/, not [\w./-]+[.!]?$|\bi (?:undid|reverted) (?:your|that|it)\b|\btry again\b|^stop \w+ing\b/i),
    medium(/\b(?:doesn't|does not|didn't) work\b|\bactually\b.{0,20}\b(?:it|that)\b/i),
  ],
  surprise: [
    strong(/\b(?:surprised|surprising(?:ly)?|unexpected(?:ly)?|to my surprise|odd(?:ly)? enough)\b/i),
    strong(/\b(?:that|this|it)(?:'s| is| was) (?:\w+ )?(?:strange|weird|odd|interesting|curious)\b/i),
    strong(/^(?:(?:wait|huh|hm+|oh|ok|really|very),? )*(?:strange|weird|odd|curious|interesting)(?:ly)?\b/i),
    strong(/^(?:wow|whoa|huh|wait what|oh wow|holy)\b/i),
    strong(/\b(?:i )?did(?:n't| not) expect\b|\bnot what i expected\b|\bwho would have thought\b/i),
    medium(/\bturns out\b|\bapparently\b/i),
  ],
  taste: [
    strong(
      /\bi (?:really )?(?:prefer|like|love|hate|don't like|do not like|dislike|can't stand)\b|\bi'd prefer\b|\bi find (?:it|them|that|this)\b/i,
    ),
    strong(/\b(?:from now on|in the future|as a rule|remember for good)\b|^remember\b/i),
    strong(
      /\b(?:ugly|clunky|noisy|cluttered|too (?:busy|loud|verbose|noisy|flashy|wordy)|feels (?:cheap|off|wrong|heavy|clunky)|too much (?:padding|text|noise|color|whitespace))\b/i,
    ),
    strong(
      /\bkeep (?:it|this|them|things|the \w+) (?:small|simple|short|plain|clean|minimal|concise|in plain)\b|\bno (?:framework )?magic\b/i,
    ),
    strong(/^(?:never|always)\b/i),
    medium(/,? (?:never|always)[.!]?$|\bnever (?:drop|use|add|write|delete|commit)\b/i),
    weak(/\bstyle|cleaner|simpler|nicer|prettier\b/i),
  ],
}
