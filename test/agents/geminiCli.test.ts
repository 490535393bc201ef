import { testAgent } from './realAgentJobs';
import { realAgents } from './realAgents';

testAgent(realAgents.geminiCli, ['declined']);
