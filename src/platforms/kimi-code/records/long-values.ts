import { isShortened, type LongValues } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { isRead } from './tools.ts'

/** What is read of long values: words, and the results of failed calls. */
export const longValues: LongValues = {
  needs: {
    systemPrompt: 'nothing',
    tools: 'nothing',
    contextSummary: 'nothing',
    resultSummary: 'nothing',
    message: { message: 'nothing', meta: 'nothing' },
    event: {
      args: WRITTEN,
      display: 'nothing',
      result: { output: 'nothing', note: 'nothing' },
    },
  },
  isEnough(entry) {
    const event = asObject(asObject(entry)?.event)
    const { output } = asObject(event?.result) ?? {}
    const isShort =
      isShortened(output) || (asArray(output) ?? []).some((part) => isShortened(asObject(part)?.text))
    return !(isShort && isRead(event)) && areArgumentsEnough(event?.name, event?.args)
  },
}
