import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PAGES } from './pages.ts'
import { helpOpen } from './palette-state.ts'

interface KeyLine {
  keys: string[]
  tells: string
}

const line = (keys: string[], tells: string): KeyLine => ({ keys, tells })

const EVERYWHERE = [
  line(['Ctrl K', '⌘K'], 'go to anything'),
  line(['/'], 'find or filter'),
  line(['?'], 'show these keys'),
  line(['Esc'], 'close or clear'),
]

const LISTS = [
  line(['j', 'k'], 'next, previous row'),
  line(['Enter'], 'open it'),
  line(['o'], 'change the order'),
]

const SESSION = [
  line(['j', 'k'], 'next, previous message'),
  line(['J', 'K'], 'next, previous human message'),
  line(['Enter'], 'open or close it'),
  line(['y', 'Y'], 'copy the message, its link'),
  line(['[', ']'], 'newer, older session'),
  line(['l'], 'change the layout'),
  line(['c'], 'copy the command that resumes it'),
  line(['e'], 'export'),
  line(['s'], 'star'),
  line(['p'], 'show or hide the side panel'),
  line(['g g', 'G'], 'beginning, end'),
]

function Table({ title, lines }: { title: string; lines: readonly KeyLine[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {lines.map(({ keys, tells }) => (
          <div key={tells}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{tells}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function Help() {
  const close = () => {
    helpOpen.value = false
  }
  return (
    <Dialog label="Keys" class="help" onClose={close}>
      <div class="dialog-head">
        <h2>Keys</h2>
        <Button label="Close" icon="close" bare onClick={close} />
      </div>
      <div class="help-columns" tabIndex={0} role="region" aria-label="All keys">
        <Table title="Everywhere" lines={EVERYWHERE} />
        <Table title="Lists" lines={LISTS} />
        <Table title="In a session" lines={SESSION} />
        <Table title="Pages" lines={PAGES.map(({ key, title }) => line([`g ${key}`], title))} />
      </div>
    </Dialog>
  )
}
