import type { Failure } from '../../api/client.ts'
import { Button } from '../../parts/controls.tsx'
import { sessionAddress } from '../../state/router.ts'

/** Why there is no session to show, and what leads on. */
export function NotShown({ failure, again }: { failure: Failure; again?: () => void }) {
  const { status, message, hint = '', matches } = failure
  return (
    <div class="empty failed" role="alert">
      <p class="empty-words">{matches.length > 0 ? message : `${message} ${hint}`}</p>
      {matches.length > 0
        ? matches.map((each) => (
            <p key={each} class="empty-words">
              <a href={sessionAddress(each)} dir="auto">
                {each}
              </a>
            </p>
          ))
        : again && (
            <p class="empty-words">
              {status === 404 ? (
                <a href="/sessions">See all sessions</a>
              ) : (
                <Button label="Try again" onClick={again} />
              )}
            </p>
          )}
    </div>
  )
}
