import type { SearchAnswer } from '../api/shapes.ts'
import { count, counted } from '../text/figures.ts'

interface IncompleteProperties {
  /** Absent if the answer is made from all files. */
  of: SearchAnswer['incomplete'] | undefined
  verb: 'Searched' | 'Indexed'
}

/** The first line of an answer that is made while files are indexed. The answer comes again when all are. */
export function Incomplete({ of: part, verb }: IncompleteProperties) {
  if (!part) return null
  const { files, of, messages } = part
  const lacks = files === of && messages > 0 ? `, without the words of ${counted(messages, 'message')}` : ''
  return (
    <p
      class="incomplete"
      role="status"
    >{`${verb} ${count(files)} of ${counted(of, 'file')} so far${lacks}.`}</p>
  )
}
