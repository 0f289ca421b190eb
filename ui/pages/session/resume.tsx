import { ask } from '../../api/ask.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Button } from '../../parts/button.tsx'
import { copy } from '../../parts/toast.tsx'

/** The command that resumes a session in its own client, or why there is none. */
export function Resume({ session }: { session: string }) {
  const { answer, failure } = useAnswer(ask('resume', { session }))
  return (
    <div class="resume">
      <p class="resume-name">Resume it</p>
      {answer && (
        <div class="resume-line">
          <code dir="ltr">{answer.shell}</code>
          <Button
            label="Copy the command"
            icon="copy"
            bare
            onClick={() => copy(answer.shell, 'the command')}
          />
        </div>
      )}
      {failure && <p class="note">{failure.message}</p>}
    </div>
  )
}
