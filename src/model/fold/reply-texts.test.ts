import { expect, it } from 'vitest'
import type { ReplyContext } from './reply-context.ts'
import { createReplyTexts } from './reply-texts.ts'

it('continues from positions that an older version stored as a list', () => {
  const positions = [3, 300, -7, 8, 9, -10]
  const before = { replies: new Int32Array(0), records: new Int32Array(0), recent: [], positions }
  const { agentMessages, save } = createReplyTexts({} as ReplyContext, before)
  expect(agentMessages).toEqual(positions)
  expect(createReplyTexts({} as ReplyContext, save()).agentMessages).toEqual(positions)
})
