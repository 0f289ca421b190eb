import { bash, bashFails, edit, grep, read, write } from './claude-code-calls.ts'
import type { ClaudeSession } from './claude-code-transcript.ts'
import { acts, agent, thinks, you } from './story.ts'

const web = '/home/dev/eastore/web'
const notes = '/home/dev/shop-notes'
const model = 'claude-sonnet-4-6'

const productPage: ClaudeSession = {
  seed: 'web: product page',
  cwd: web,
  model,
  branch: 'main',
  version: '2.1.90',
  start: '2026-09-16 16:40',
  title: { type: 'ai-title', text: 'Product page and cart drawer' },
  steps: [
    you(
      'Build the product page and a cart drawer against the API in ../api. Plain HTML and a little script, it has to be quick on an old phone.',
    ),
    agent(
      'I read the routes first, so that I invent nothing.',
      grep(
        'app\\.(get|post|delete)',
        '/home/dev/eastore/api/src',
        "catalogue/routes.js:4:  app.get('/products', list)\ncart/routes.js:4:  app.post('/cart/:id/lines'",
      ),
    ),
    acts(
      write(
        `${web}/src/price.js`,
        "const euro = new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' })\n\n/** Prices come as whole cents. */\nexport const price = (cents) => euro.format(cents / 100)\n",
      ),
      write(
        `${web}/src/cart-drawer.js`,
        'export function openDrawer(lines) {\n  drawer.replaceChildren(...lines.map(row))\n  drawer.showModal()\n}\n',
      ),
    ),
    acts(bash('npx playwright test', '  4 passed (3.1s)')),
    agent(
      'Product page and drawer work, 9 kB of script in all. The drawer shows how long the teapot is still held.',
    ),
    you('The remaining time looks like a threat. Show it only for the last three minutes.', { after: 8 }),
    acts(
      edit(
        `${web}/src/cart-drawer.js`,
        'drawer.showModal()',
        'clock.hidden = secondsLeft(lines) > 180\n  drawer.showModal()',
      ),
    ),
    agent('It now appears in the last three minutes only.'),
  ],
}

const doubleClick: ClaudeSession = {
  seed: 'web: double click',
  cwd: web,
  model,
  branch: 'pay-once',
  version: '2.1.112',
  start: '2026-10-20 11:15',
  title: { type: 'ai-title', text: 'Pay button sends the order twice' },
  steps: [
    you('A customer paid once but has two orders, 1231 and 1232, four hundred milliseconds apart. How?'),
    acts(
      read(
        `${web}/src/pay.js`,
        "payButton.addEventListener('click', async () => {\n  const order = await post('/orders', cart)\n  location.href = order.payAt\n})",
      ),
    ),
    thinks(
      'Double click. Each click makes an order; only one is paid.',
      'A double click: every click posts a new order. The API protects payments with a key, but the order itself has none.\n\nDisabling the button hides it. The cure is that the page makes one key for each cart and the API answers the second post with the first order.',
      edit(
        `${web}/src/pay.js`,
        "post('/orders', cart)",
        "post('/orders', cart, { 'Idempotency-Key': cart.id })",
      ),
      bashFails(
        'npx playwright test pay',
        '  1 failed\n    pay › a double click makes one order\n    Expected: 1  Received: 2',
      ),
    ),
    agent(
      'As expected: the API ignores the header so far.',
      edit(
        '/home/dev/eastore/api/src/orders/routes.js',
        "app.post('/orders', create)",
        "app.post('/orders', onceFor('idempotency-key', create))",
      ),
      bash('npx playwright test pay', '  3 passed (2.2s)'),
    ),
    agent(
      'One click or five, it is one order now. The change touches two repositories: `web/src/pay.js` and `api/src/orders/routes.js`. Order 1232 is unpaid and can be cancelled.',
    ),
    you('I have cancelled it. Good.', { after: 6 }),
  ],
}

const suppliers: ClaudeSession = {
  seed: 'notes: suppliers',
  cwd: notes,
  model,
  branch: '',
  version: '2.1.90',
  start: '2026-09-27 19:22',
  title: { type: 'summary', text: 'Sorting the supplier notes' },
  steps: [
    you(
      'suppliers.txt is three years of notes in no order. Make one page per supplier with terms, delivery time and what went wrong. Lose nothing.',
    ),
    acts(
      read(
        `${notes}/suppliers.txt`,
        'Uji: min order 5 kg, 3 weeks by sea\nKyusu potter: 12 pots a batch, 6 weeks, NO deliveries in december\n2025 Uji sent sencha instead of gyokuro\nTin maker: 500 pieces, 10 days',
      ),
    ),
    acts(
      write(
        `${notes}/suppliers/uji.md`,
        '# Uji\n\n- Terms: at least 5 kg\n- Delivery: 3 weeks by sea\n- Went wrong: 2025 sencha instead of gyokuro\n',
      ),
      write(
        `${notes}/suppliers/kyusu-potter.md`,
        '# Kyusu potter\n\n- Terms: 12 pots a batch\n- Delivery: 6 weeks, no deliveries in December\n',
      ),
      write(`${notes}/suppliers/tin-maker.md`, '# Tin maker\n\n- Terms: 500 pieces\n- Delivery: 10 days\n'),
    ),
    agent(
      'Three pages, and every line of the old file is in one of them. If the potter needs six weeks and does not deliver in December, teapots for Christmas must be ordered by the middle of October.',
    ),
    you('That last sentence is worth more than the sorting. Put it on top of the potter page.', { after: 3 }),
    acts(
      edit(
        `${notes}/suppliers/kyusu-potter.md`,
        '# Kyusu potter\n',
        '# Kyusu potter\n\n**Order by the middle of October for Christmas.**\n',
      ),
    ),
    agent('It stands on top now.'),
  ],
}

const retrospective: ClaudeSession = {
  seed: 'notes: retrospective',
  cwd: notes,
  model: 'claude-opus-4-6',
  branch: '',
  version: '2.1.112',
  start: '2026-11-15 17:05',
  title: { type: 'ai-title', text: 'What we learned from September to November' },
  steps: [
    { type: 'shell', command: 'ls', output: 'orders-by-week.csv\nsuppliers\nsuppliers.txt' },
    you('Help me write down what I learned while building eastore. Ask me questions, do not invent.'),
    agent(
      'Three questions:\n\n1. What cost the most time for the least gain?\n2. Which decision would you take again without a thought?\n3. What did you believe in September that you do not believe now?',
    ),
    you(
      '1. The retry on the stock test. It hid a real bug for a week. 2. Whole cents, and one rounding per order. 3. That a rehearsal is for careful people. It is for lazy people: the night of the switch was boring.',
      { after: 14 },
    ),
    agent(
      'I keep your words and add only order.',
      write(
        `${notes}/what-we-learned.md`,
        '# What I learned\n\n- A retry on a flaky test hides a real bug. Ours sold one teapot to two people.\n- Whole cents, and one rounding per order: never looked back.\n- A rehearsal is for lazy people. The night of the switch was boring.\n',
      ),
    ),
    agent('Written to `what-we-learned.md`: three lessons, eleven lines less than I was tempted to write.'),
    you('Perfect. Stop there.', { after: 1 }),
  ],
}

/** The shop window, and the notes next to the code. */
export const webAndNotes: ClaudeSession[] = [productPage, suppliers, doubleClick, retrospective]
