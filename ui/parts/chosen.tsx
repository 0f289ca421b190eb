interface ChosenProperties {
  label: string
  onRemove(): void
}

/** A filter that holds, and how to remove it. */
export const Chosen = ({ label, onRemove }: ChosenProperties) => (
  <button type="button" class="chip" data-on="true" onClick={onRemove}>
    <span dir="auto">{label}</span>
    <span aria-hidden="true">×</span>
    <span class="unseen">, remove this filter</span>
  </button>
)
