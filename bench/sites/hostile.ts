import { type HostileSite, startHostileSites } from '../../test/support/hostile-sites.ts';
import { answerEach } from '../processes/forked.ts';

// The process of the hostile websites: what they cost is not what scanning them costs.

answerEach<number, readonly HostileSite[]>(async count => (await startHostileSites(count)).sites);
