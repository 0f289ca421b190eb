import * as z from 'zod/mini'

/**
 * Compiling schemas only pays off with many messages, and a server must answer its first one quickly. Import
 * this before any schema is created.
 */
z.config({ jitless: true })
