import { type HostileSite, startHostileSites } from '../../test/support/hostile-sites.ts';
import { answerEach } from '../processes/forked.ts';

// The process of the hostile websites, separate because their cost is not part of scanning.

answerEach<number, readonly HostileSite[]>(async count => (await startHostileSites(count)).sites);
