import { testAgent } from './realAgentJobs';
import { realAgents } from './realAgents';

testAgent(realAgents.copilotCli, ['declined', 'own limit']);
