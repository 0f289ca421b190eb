/** What can happen between a human and an agent. */
export const DYNAMIC_KINDS = [
  ...(['intent', 'proposal', 'question', 'agreement', 'disagreement', 'correction'] as const),
  ...(['iteration', 'debugging', 'autonomy', 'surprise', 'taste'] as const),
] as const

export type DynamicKind = (typeof DYNAMIC_KINDS)[number]
