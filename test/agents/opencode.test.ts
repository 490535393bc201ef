import { testAgent } from './realAgentJobs';
import { realAgents } from './realAgents';

// Its limit of a call is the shortest of all, so it gets the longest image.
testAgent(realAgents.opencode, ['slow page', 'own limit']);
