import { identityOf } from '../../src/platforms/identities.ts'
import { agentName } from '../text/format.ts'

interface BadgeProperties {
  platform: string
  agent?: string | undefined
}

/** The sign of an agent: two letters in its color, and its name on hover and for whoever does not see it. */
export function AgentBadge({ platform, agent }: BadgeProperties) {
  const { prefix, color } = identityOf(platform)
  const name = agentName(platform, agent)
  return (
    <span class="agent-badge" data-color={color} role="img" aria-label={name} title={name}>
      <span aria-hidden="true">{prefix.slice(0, 2)}</span>
    </span>
  )
}
