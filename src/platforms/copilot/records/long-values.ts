import { follows, isShortened, type LongValues } from '../../../io/long-values.ts'
import { asArray, asObject } from '../../../model/json.ts'
import { areArgumentsEnough, WRITTEN } from '../../written-values.ts'
import { hasFailed } from './tools.ts'

/** What is read of long values: words, and failures. */
export const longValues: LongValues = {
  needs: {
    data: {
      content: (value) => (follows(value, '"system.message"') ? 'nothing' : 'whole'),
      contentBlocks: 'nothing',
      transformedContent: 'nothing',
      reasoningText: 'nothing',
      reasoningOpaque: 'nothing',
      encryptedContent: 'nothing',
      result: { content: 'nothing', detailedContent: 'nothing', contents: 'nothing' },
      toolRequests: { '[]': { arguments: WRITTEN } },
      toolTelemetry: 'nothing',
      permissionRequest: 'nothing',
      promptRequest: 'nothing',
    },
  },
  isEnough(entry) {
    const record = asObject(entry)
    const data = asObject(record?.data) ?? {}
    if (isShortened(data.content) && record?.type !== 'system.message') return false
    if (isShortened(asObject(data.result)?.content) && hasFailed(data)) return false
    return (asArray(data.toolRequests) ?? []).every((each) => {
      const request = asObject(each)
      return areArgumentsEnough(request?.name, request?.arguments)
    })
  },
}
