import type * as z from 'zod/mini'
import type { Command } from '../kit/command.ts'

/** Bytes that are an answer as they are, such as an image. */
interface FileAnswer {
  type: string
  bytes: Uint8Array
}

/** What the page asks: a command, or something that only the page needs. */
export interface Question<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output = unknown,
  Answer extends z.ZodMiniType = z.ZodMiniType,
> extends Pick<Command<Input, Output, Answer>, 'name' | 'summary' | 'input' | 'output' | 'run' | 'json'> {
  /** The answer as a file. Otherwise it is JSON. */
  file?(output: Output): FileAnswer
  /** The command prints a file while it runs: its type and its name. */
  prints?(input: z.output<Input>): { type: string; name: string }
}

export const defineQuestion = <Input extends z.ZodMiniObject, Output, Answer extends z.ZodMiniType>(
  question: Question<Input, Output, Answer>,
): Question<Input, Output, Answer> => question
