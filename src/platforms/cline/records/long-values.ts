import {
  isShortened,
  type LongValue,
  type LongValues,
  mayContain,
  type Need,
} from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { isRead } from './tools.ts'

/** An outcome that is the text of its JSON. */
const FAILED = ['\\"success\\":false', '\\"isError\\":true']

const ofOutcome = (value: LongValue): Need => (mayContain(value, FAILED) ? 'whole' : 'nothing')

/** What is read of long values: words, and the results of failed calls. */
export const longValues: LongValues = {
  needs: {
    content: {
      '[]': {
        input: WRITTEN,
        source: 'nothing',
        data: 'nothing',
        content: { '[]': { result: 'nothing', text: 'nothing' }, '*': ofOutcome },
      },
    },
  },
  isEnough: (entry) =>
    (asArray(asObject(entry)?.content) ?? []).every((each) => {
      const block = asObject(each) ?? {}
      if (block.type === 'tool_use') return areArgumentsEnough(block.name, block.input)
      const isShort =
        isShortened(block.content) ||
        (asArray(block.content) ?? []).some(
          (one) => isShortened(asObject(one)?.result) || isShortened(asObject(one)?.text),
        )
      return !(isShort && isRead(block))
    }),
}
