import { testSite } from './siteTests';

testSite('Rspress');
