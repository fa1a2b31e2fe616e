/**
 * Resolvers that use the evaluator: explanations, readiness, forecast, crews, previews and job role
 * requirements.
 */

import { JobRoleNeedsResolver } from '../job-roles.js';
import { CrewCandidateLink, CrewPlanNeedLink, CrewResolver } from './crew.js';
import {
  ExplanationResolver,
  QualificationActionLinks,
  RequirementResultLinks,
} from './explanation.js';
import {
  EndingRecordLinks,
  ForecastResolver,
  QualificationLossLink,
  QualificationLossMemberLink,
} from './forecast.js';
import { PreviewedMemberLink, PreviewResolver } from './preview.js';
import {
  MemberReadinessLink,
  ReadinessCellLink,
  ReadinessResolver,
  ReadinessTotalLink,
} from './readiness.js';

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
