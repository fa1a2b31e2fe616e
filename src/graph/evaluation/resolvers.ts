/**
 * Resolvers that use the evaluator: explanations, readiness, forecast, crews, previews and job role
 * requirements.
 */
import { CrewCandidateLink, CrewPlanNeedLink, CrewResolver } from '../crew/resolver.js';
import {
  ExplanationResolver,
  QualificationActionLinks,
  RequirementResultLinks,
} from '../explanation/resolver.js';
import {
  EndingRecordLinks,
  ForecastResolver,
  QualificationLossLink,
  QualificationLossMemberLink,
} from '../forecast/resolver.js';
import { JobRoleNeedsResolver } from '../job-role/resolver.js';
import { PreviewedMemberLink, PreviewResolver } from '../preview/resolver.js';
import {
  MemberReadinessLink,
  ReadinessCellLink,
  ReadinessResolver,
  ReadinessTotalLink,
} from '../readiness/resolver.js';

export const evaluationResolvers = [
  CrewCandidateLink,
  CrewPlanNeedLink,
  CrewResolver,
  EndingRecordLinks,
  ExplanationResolver,
  ForecastResolver,
  JobRoleNeedsResolver,
  MemberReadinessLink,
  PreviewedMemberLink,
  PreviewResolver,
  QualificationActionLinks,
  QualificationLossLink,
  QualificationLossMemberLink,
  ReadinessCellLink,
  ReadinessResolver,
  ReadinessTotalLink,
  RequirementResultLinks,
];
