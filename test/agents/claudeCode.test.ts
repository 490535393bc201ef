import { testAgent } from './realAgentJobs';
import { realAgents } from './realAgents';

testAgent(realAgents.claudeCode, ['killed', 'reloaded']);
