import { isShortened, type Needs } from '../io/long-values.ts'
import { tellOnlyPath } from '../model/fold/tool-arguments.ts'

/** Arguments with the text that a tool writes into a file, or replaces there. */
export const WRITTEN: Needs = {
  content: 'nothing',
  file_text: 'nothing',
  new_source: 'nothing',
  old_string: 'nothing',
  new_string: 'nothing',
  old_str: 'nothing',
  new_str: 'nothing',
  oldString: 'nothing',
  newString: 'nothing',
  oldText: 'nothing',
  newText: 'nothing',
  edits: 'nothing',
}

/** Whether nothing is missing of the arguments of a call that is read. */
export const areArgumentsEnough = (name: unknown, input: unknown): boolean =>
  (typeof name === 'string' && tellOnlyPath(name, input)) || !isShortened(input)
