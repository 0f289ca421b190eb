import { follows, isShortened, type LongValues, precedes } from '../../../io/long-values.ts'
import { asObject, type JsonObject } from '../../../model/json.ts'
import { textOf } from '../../result-text.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { blocksOf } from './blocks.ts'
import { isAnswer } from './user.ts'

const FAILED = '"is_error":true'

/** What is read of long values: words, failures, and the answers of people. */
export const longValues: LongValues = {
  needs: {
    message: {
      content: {
        '[]': {
          thinking: 'nothing',
          signature: 'nothing',
          data: 'nothing',
          source: 'nothing',
          input: WRITTEN,
          content: (value) => (precedes(value, FAILED) || follows(value, FAILED) ? 'whole' : 'beginning'),
        },
      },
    },
    toolUseResult: { answers: 'whole', annotations: 'whole', response: 'whole', '*': 'nothing' },
    attachment: { type: 'whole', commandMode: 'whole', prompt: 'whole', origin: 'whole', '*': 'nothing' },
    data: 'nothing',
    snapshot: 'nothing',
  },
  isEnough: (entry) => blocksOf(asObject(entry)?.message).every(isBlockEnough),
}

function isBlockEnough(block: JsonObject): boolean {
  switch (block.type) {
    case 'tool_result':
      return !isShortened(block.content) || (block.is_error !== true && !isAnswer(textOf(block.content)))
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return areArgumentsEnough(block.name, block.input)
    default:
      return true
  }
}
