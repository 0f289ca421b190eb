import { waiting } from './api/client.ts'
import './state/theme.ts'
import './style/all.css'
import { render } from 'preact'
import { Shell, startShellKeys } from './shell/shell.tsx'
import { startEvents } from './state/events.ts'
import { startMarks } from './state/marks.ts'
import { startRouter } from './state/router.ts'

startRouter()
startShellKeys()
startEvents()
render(<Shell />, document.getElementById('page')!)

const PAUSE_MS = 400

/**
 * What is not needed for the first rows, when they are there: whether marks can be stored, and the code of a session, which is what people open next.
 */
function loadRest(): void {
  if (waiting.value > 0) return void setTimeout(loadRest, PAUSE_MS)
  void startMarks()
  void import('./pages/session/session.tsx').catch(() => undefined)
}

setTimeout(loadRest, PAUSE_MS)
