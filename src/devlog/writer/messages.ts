import type { Block } from '../draft/document.ts'
import { heading } from '../draft/parts.ts'
import type { DraftVoice } from '../draft/voice.ts'
import { cite } from '../evidence/citation.ts'
import type { Citation } from '../evidence/evidence.ts'
import type { SourceSession } from '../source.ts'

const HUMAN = 40
const AGENT = 30

/** Which messages are shown, and how their text is changed. */
interface MessageOptions {
  isIn?(citation: Citation): boolean
  clean?(text: string): string
}

/** What human and agent wrote in main sessions, or in a part of them, as quotes in order. */
export function messageBlocks(
  sources: readonly SourceSession[],
  { human, agent }: DraftVoice,
  { isIn = () => true, clean = (text) => text }: MessageOptions = {},
): Block[] {
  return sources.flatMap(({ session, main, items }): Block[] => {
    if (!main) return []
    const blocks = items.flatMap((item): Block[] => {
      if ((item.who !== 'human' && item.who !== 'agent') || !item.text || item.offBranch) return []
      const found = cite(session, item)
      if (!isIn(found)) return []
      const citation = { ...found, quote: clean(found.quote) }
      const [speaker, weight] = item.who === 'human' ? [human, HUMAN] : [agent, AGENT]
      return [{ type: 'list', weight, items: [[{ strong: speaker }, ': ', { quote: citation }]] }]
    })
    return blocks.length > 0 ? [heading(clean(session.title ?? 'Untitled'), 3), ...blocks] : []
  })
}
