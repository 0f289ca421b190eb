import type { Rule } from '../rule.ts'
import { chat } from './chat.ts'
import { clouds } from './clouds.ts'
import { codeHosts } from './code-hosts.ts'
import { modelVendors } from './model-vendors.ts'
import { payment } from './payment.ts'
import { services } from './services.ts'

/** Tokens that their own letters identify. */
export const tokens: readonly Rule[] = [
  ...modelVendors,
  ...codeHosts,
  ...clouds,
  ...chat,
  ...payment,
  ...services,
]
