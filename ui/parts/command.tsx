import { Button } from './controls.tsx'
import { copy } from './notice.tsx'

/** A command that can be copied. */
export const Command = ({ text }: { text: string }) => (
  <span class="command">
    <code dir="ltr">{text}</code>
    <Button label={`Copy ${text}`} icon="copy" bare onClick={() => copy(text, 'the command')} />
  </span>
)
