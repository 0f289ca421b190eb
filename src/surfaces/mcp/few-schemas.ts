import * as z from 'zod/mini'

/** Functions made for a schema pay off with many messages; a server is to answer its first one soon. Set before any schema is made. */
z.config({ jitless: true })
