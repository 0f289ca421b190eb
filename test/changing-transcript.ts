import { call, claude, text, uuid } from './records.ts'

/** A choice among the numbers below `limit`. */
export type Choose = (limit: number) => number

const WORDS = ['go', 'and then', 'water the moss', '! ls', 'a\nb', 'Stop. Do it again.']

/**
 * Lines of a transcript whose later lines change what earlier ones mean: branches that are abandoned and
 * resumed, records that occur again, parents that come late, queued prompts, and speakers that are known late.
 * Each choice comes from `choose`, so that a test can make the same transcript smaller.
 */
export function changingTranscript(count: number, choose: Choose): object[] {
  const lines: Record<string, unknown>[] = []
  let number = 0
  let leaf: string | null = null
  const replies = ['msg_first']
  let kind = choose(3)
  const any = <Each>(list: readonly Each[]): Each => list[choose(list.length)]!
  const ids = (): string[] => lines.flatMap(({ uuid: id }) => (typeof id === 'string' ? [id] : []))
  const push = (line: object): void => void lines.push(line as Record<string, unknown>)
  /** A record that follows the latest one, which it becomes. */
  const record = (made: (id: number) => object, more: object = {}): void => {
    const id = ++number
    push({ ...made(id), parentUuid: leaf, ...more })
    leaf = uuid(id)
  }
  const program = { entrypoint: 'sdk-cli' }

  const steps: (() => void)[] = [
    () => record((id) => claude.user(id, `${any(WORDS)} ${choose(20)}`), kind === 0 ? program : {}),
    () => record((id) => claude.user(id, any(WORDS)), choose(4) === 0 ? program : {}),
    () => {
      // Another reply, the same one, or one from before.
      if (choose(3) > 0) replies.push(choose(4) === 0 ? any(replies) : `msg_${lines.length}`)
      const usage = { input_tokens: choose(9), output_tokens: choose(9), cache_read_input_tokens: choose(9) }
      record((id) => {
        const reply = claude.reply(id, [text(`Answer ${choose(30)}`)])
        return { ...reply, message: { ...reply.message, id: replies.at(-1), usage } }
      })
    },
    () => {
      const callId = `toolu_${choose(40)}`
      record((id) => claude.reply(id, [call(callId, 'Bash', { command: `ls ${id}` })]))
      const parent = leaf
      for (let each = choose(3); each >= 0; each--) {
        const result = ++number
        push({ ...claude.result(result, callId, 'no', choose(3) === 0), parentUuid: parent })
        if (choose(2) === 0) leaf = uuid(result)
      }
    },
    // The human goes back to an earlier record.
    () => {
      if (lines.length > 0) leaf = any(ids()) ?? null
    },
    // A record occurs again, as it was or below another parent.
    () => {
      if (lines.length > 0) push({ ...any(lines), ...(choose(3) === 0 ? { parentUuid: leaf } : {}) })
    },
    () =>
      record((id) => ({
        ...claude.user(id, ''),
        ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' },
        ...{ message: undefined, parentUuid: null, logicalParentUuid: leaf },
      })),
    // The parent is not in the file, or comes later.
    () => record((id) => claude.user(id, any(WORDS)), { parentUuid: uuid(number + 1 + choose(6)) }),
    () => {
      const operation = any(['enqueue', 'enqueue', 'dequeue', 'remove', 'popAll'])
      const content = choose(3) === 0 ? {} : { content: any(WORDS) }
      push({ type: 'queue-operation', operation, ...content, timestamp: '2026-11-01T10:00:00Z' })
    },
    () => record((id) => claude.user(id, any(WORDS)), { sentAsUuid: uuid(choose(number + 1)) }),
    () => push({ type: 'summary', summary: `Title ${choose(9)}`, leafUuid: uuid(choose(number + 3)) }),
    () => record((id) => claude.user(id, any(WORDS)), { isSidechain: true, agentId: 'a1' }),
    () => {
      kind = choose(3)
    },
  ]
  const frequent = [0, 0, 0, 2, 2, 2, 2, 3, 3]
  while (lines.length < count) {
    const at = choose(frequent.length + 6)
    steps[at < frequent.length ? frequent[at]! : choose(steps.length)]!()
  }
  return lines
}
