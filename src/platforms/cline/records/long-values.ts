import { isShortened, type LongValues } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { isRead } from './tools.ts'

/** What is read of long values: words, and the results of failed calls. */
export const longValues: LongValues = {
  needs: {
    content: {
      '[]': {
        input: WRITTEN,
        source: 'nothing',
        data: 'nothing',
        content: { '[]': { result: 'nothing', text: 'nothing' }, '*': 'nothing' },
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
