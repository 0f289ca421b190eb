import { looksLikeKey, looksRandom } from '../judge.ts'
import { alphanumeric, end, loneTokenRule, type Rule, tokenRule, uuid, word } from '../rule.ts'

/** Keys to language models, and to search and memory services for agents. */
export const modelVendors: readonly Rule[] = [
  tokenRule('anthropic-key', ['sk-ant-'], `sk-ant-${word}{20,}`),
  tokenRule('openrouter-key', ['sk-or-'], `sk-or-${word}{20,}`),
  tokenRule('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], `sk-(?:proj|svcacct|admin)-${word}{20,}`),
  tokenRule('langfuse-key', ['sk-lf-'], `sk-lf-${uuid}`),
  tokenRule('openai-session', ['sess-'], `sess-${alphanumeric}{40}${end}`, looksLikeKey),
  tokenRule('model-key', ['sk-'], `sk-${word}{20,}`, looksLikeKey),
  tokenRule('groq-key', ['gsk_'], `gsk_${alphanumeric}{32,}`),
  tokenRule('xai-key', ['xai-'], `xai-${alphanumeric}{32,}`),
  tokenRule('hugging-face-token', ['hf_'], `hf_${alphanumeric}{30,}`),
  tokenRule('hugging-face-token', ['api_org_'], `api_org_${alphanumeric}{34}`),
  tokenRule('replicate-token', ['r8_'], `r8_${alphanumeric}{37}${end}`),
  tokenRule('elevenlabs-key', ['sk_'], `sk_[0-9a-f]{40,}${end}`),
  tokenRule('model-key', ['pplx-', 'nvapi-', 'csk-'], `(?:pplx|nvapi|csk)-${word}{32,}`, looksLikeKey),
  tokenRule('fireworks-key', ['fw_'], `fw_${alphanumeric}{22,}${end}`, looksLikeKey),
  tokenRule('together-key', ['tgp_v1_'], `tgp_v1_${word}{32,}`),
  tokenRule('langsmith-key', ['lsv2_', 'ls__'], `ls(?:v2_(?:pt|sk)_[0-9a-f]{32}_|__)[0-9a-f]{10,}`),
  tokenRule('pinecone-key', ['pcsk_'], `pcsk_${alphanumeric}{4,12}_${alphanumeric}{40,}`),
  tokenRule('llama-cloud-key', ['llx-'], `llx-${alphanumeric}{40,}`),
  tokenRule('jina-key', ['jina_'], `jina_[0-9a-f]{32}${word}{20,}`),
  tokenRule('search-key', ['tvly-'], `tvly-${word}{20,}`, looksLikeKey),
  tokenRule('search-key', ['fc-'], `fc-[0-9a-f]{32}${end}`),
  loneTokenRule('search-key', ['BSA'], `BSA${word}{27,28}`, looksRandom),
  tokenRule('voyage-key', ['pa-'], `pa-${word}{43}${end}`, looksRandom),
]
