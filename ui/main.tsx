import './api/client.ts'
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
void startMarks()
render(<Shell />, document.getElementById('page')!)

// A session is what people open next, so its code is there before they click.
setTimeout(() => void import('./pages/session/session.tsx').catch(() => undefined), 400)
