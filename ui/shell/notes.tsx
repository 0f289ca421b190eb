import { shownText } from '../../src/model/hidden.ts'
import { Button } from '../parts/button.tsx'
import { indexing } from '../state/events.ts'
import { notes, putNotesAway } from '../state/notes.ts'
import { counted } from '../text/figures.ts'

/** What could not be read: quietly, in a corner, until the person puts it away. */
export function Notes() {
  // While sessions are indexed, a bar says what is missing.
  const texts = indexing.value ? [] : notes.value
  return (
    <div class="notes" role="status">
      {texts.length > 0 && (
        <details class="notes-card">
          <summary>{`${counted(texts.length, 'note')} on what is missing here`}</summary>
          <ul>
            {texts.map((text) => (
              <li key={text} dir="auto">
                {shownText(text)}
              </li>
            ))}
          </ul>
          <Button label="Put away" onClick={putNotesAway} />
        </details>
      )}
    </div>
  )
}
