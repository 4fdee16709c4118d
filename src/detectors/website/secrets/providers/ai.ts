import { secretsChecks } from '../checks.ts';
import { onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';

/** Models and their tools. */
export const aiRules: readonly SecretRule[] = rulesOf(secretsChecks.apiToken, [
  [
    'openai-key',
    'an OpenAI key',
    [
      '(sk-proj-|sk-svcacct-|sk-service-|sk-admin-){58-74 b64u}T3BlbkFJ{58-74 b64u}',
      '(sk-proj-|sk-svcacct-|sk-service-|sk-admin-){20-57 b64u}T3BlbkFJ{20-57 b64u}',
      'sk-{20 b62}T3BlbkFJ{20 b62}',
    ],
  ],
  [
    'anthropic-key',
    'an Anthropic key',
    [
      'sk-ant-(api03|admin01)-{93 b64u}AA',
      'sk-ant-(api01|api02|api03|admin01|oat01|ort01|sid01|sid02)-{80-120 b64u}',
    ],
  ],
  ['huggingface-token', 'a Hugging Face token', ['hf_{34 b62}', 'api_org_{34 b62}']],
  ['groq-key', 'a Groq key', 'gsk_{52 b62}'],
  ['openrouter-key', 'an OpenRouter key', 'sk-or-v1-{64 hex}'],
  ['xai-key', 'an xAI key', 'xai-{80 word}'],
  ['perplexity-key', 'a Perplexity key', 'pplx-{48 b62}'],
  ['replicate-token', 'a Replicate token', 'r8_{37 b64u}'],
  ['langsmith-key', 'a LangSmith key', '(lsv2_pt_|lsv2_sk_){32 hex}_{10 hex}'],
  ['langfuse-key', 'a Langfuse secret key', 'sk-lf-{uuid}'],
  ['elevenlabs-key', 'an ElevenLabs key', 'sk_{48 hex}'],
  ['sk-hex-key', 'a secret key of DeepSeek, DashScope or a service with the same key format', 'sk-{32 hex}'],
  ['sk-key', 'a secret key in the format of OpenAI, Moonshot or Stability', 'sk-{48 b62}'],
  ['nvidia-key', 'an NVIDIA API key', 'nvapi-{64 b64u}'],
  ['pinecone-key', 'a Pinecone key', 'pcsk_{5-6 b62}_{63 b62}'],
  ['cerebras-key', 'a Cerebras key', 'csk-{48 lower}'],
  ['together-key', 'a Together AI key', 'tgp_v1_{43 b64u}'],
  ['fireworks-key', 'a Fireworks AI key', 'fw_{22-24 b62}', onlyNear(/fireworks/i)],
  ['voyage-key', 'a Voyage AI key', 'pa-{43 b64u}', onlyNear(/voyage/i)],
  ['jina-key', 'a Jina AI key', 'jina_{60 b64u}'],
  ['tavily-key', 'a Tavily key', ['tvly-{32 b62}', 'tvly-(dev|prod)-{32 b64u}']],
  ['firecrawl-key', 'a Firecrawl key', 'fc-{32 hex}'],
  ['brave-search-key', 'a Brave Search key', 'BSA{27-28 b64u}', onlyNear(/brave/i)],
  ['e2b-key', 'an E2B key', 'e2b_{40 hex}'],
  ['helicone-key', 'a Helicone key', 'sk-helicone-{7 lower}-{7 lower}-{7 lower}-{7 lower}'],
  ['llamacloud-key', 'a LlamaCloud key', 'llx-{48 b62}'],
  ['runpod-key', 'a Runpod key', 'rpa_{40-60 upper}'],
  ['vectara-key', 'a Vectara key', '(zut_|zwt_){32-60 b64u}'],
  ['voiceflow-key', 'a Voiceflow key', 'VF.(DM|WS).{24 Hex}.{16 b62}'],
  ['voiceflow-key', 'a Voiceflow key', 'VF.{24 Hex}.{16 b62}'],
  ['gemini-key', 'a Google AI Studio key', 'AQ.Ab{46-70 b64u}'],
  ['apify-token', 'an Apify token', 'apify_api_{36 b62}'],
  ['saladcloud-key', 'a SaladCloud key', 'salad_cloud_{1-7 b62}_{20-235 b62}'],
  ['wandb-key', 'a Weights & Biases key', 'wandb_v1_{20-120 word}'],
  ['mem0-key', 'a Mem0 key', 'm0-{40 b62}'],
  ['browserbase-key', 'a Browserbase key', 'bb_live_{27 b64u}'],
  ['cursor-key', 'a Cursor key', 'crsr_{64 hex}'],
]);
