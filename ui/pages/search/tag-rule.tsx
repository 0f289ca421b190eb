import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { addRule } from '../../state/tags.ts'

/** Makes a rule of a query: every session that it finds has the tag, now and later. */
export function TagRule({ query }: { query: string }) {
  const isOpen = useSignal(false)
  const open = (on: boolean) => () => {
    isOpen.value = on
  }
  return (
    <>
      <Button label="Tag what this finds" onClick={open(true)} />
      {isOpen.value && <RuleDialog query={query} onClose={open(false)} />}
    </>
  )
}

function RuleDialog({ query, onClose }: { query: string; onClose(): void }) {
  const tag = useSignal('')
  const fault = useSignal('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const name = tag.value.trim()
    try {
      await addRule(name, query)
      toast(`Sessions that this finds have the tag ${name}`)
      onClose()
    } catch (error) {
      fault.value = error instanceof Error ? error.message : String(error)
    }
  }
  return (
    <Dialog label="Tag what this finds" class="small" onClose={onClose}>
      <form class="rule-form" onSubmit={(event) => void save(event)}>
        <h2>Tag what this finds</h2>
        <p>
          Every session in which <code dir="auto">{query}</code> finds something gets the tag, later ones too.
        </p>
        <label class="field">
          <span>Tag</span>
          <input
            type="text"
            value={tag.value}
            required
            autocomplete="off"
            placeholder="One word"
            aria-invalid={fault.value !== ''}
            aria-describedby="rule-fault"
            onInput={(event) => {
              tag.value = event.currentTarget.value
              fault.value = ''
            }}
          />
        </label>
        <p id="rule-fault" class="error-words" role="alert">
          {fault.value}
        </p>
        <p class="rule-actions">
          <Button label="Cancel" onClick={onClose} />
          <button type="submit" class="button strong">
            <span>Add the rule</span>
          </button>
        </p>
      </form>
    </Dialog>
  )
}
