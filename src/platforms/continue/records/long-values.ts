import { isShortened, type LongValues } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { isRead } from './tools.ts'

/** What is read of long values: words, and the results of failed calls. */
export const longValues: LongValues = {
  needs: {
    contextItems: 'nothing',
    editorState: 'nothing',
    toolCallStates: {
      '[]': {
        output: { '[]': { content: 'nothing' } },
        parsedArgs: WRITTEN,
        processedArgs: 'nothing',
      },
    },
  },
  isEnough: (entry) =>
    (asArray(asObject(entry)?.toolCallStates) ?? []).every((each) => {
      const state = asObject(each) ?? {}
      const isShort = (asArray(state.output) ?? []).some((one) => isShortened(asObject(one)?.content))
      const name = asObject(asObject(state.toolCall)?.function)?.name
      return !(isShort && isRead(state)) && areArgumentsEnough(name, state.parsedArgs)
    }),
}
