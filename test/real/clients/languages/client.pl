# A client of petstore.yaml with HTTP::Tiny. Without a name of a mistake it makes none.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;
use Time::Local 'timegm';
use Time::HiRes 'sleep';

my ( $base, $key ) = @ENV{qw(PETSPEC_BASE_URL PETSPEC_API_KEY)};
my $mistake = $ARGV[0] // '';
my $http    = HTTP::Tiny->new( proxy => undef, http_proxy => undef, timeout => 30 );
my $json    = JSON::PP->new->canonical;
my %months  = map { $_->[1] => $_->[0] } map { [ $_, (qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec))[$_] ] } 0 .. 11;

sub time_of {
    my ( $day, $month, $year, $hour, $minute, $second ) = $_[0] =~ /(\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d)/;
    return timegm( $second, $minute, $hour, $day, $months{$month}, $year );
}

# Seconds until the service may be asked again, by its own clock.
sub pause_of {
    my ($headers) = @_;
    my $after = $headers->{'retry-after'};
    return 1 unless defined $after;
    # A date is 0 as a number.
    return int( $after =~ /^(\d+)/ ? $1 : 0 ) if $mistake eq 'dates-as-numbers';
    return $after if $after =~ /^\d+$/;
    my $left = time_of($after) - time_of( $headers->{date} );
    return ( $left > 0 ? $left : 0 ) + 1;
}

sub ask {
    my ( $method, $path, $body ) = @_;
    for ( 1 .. 5 ) {
        my %headers = ( 'X-Store-Key' => $mistake eq 'bearer' ? "Bearer $key" : $key );
        my $options = { headers => \%headers };
        if ($body) {
            $headers{'Content-Type'} = 'application/json';
            $options->{content} = $json->encode($body);
        }
        my $response = $http->request( $method, $base . $path, $options );
        return $response->{content} ? $json->decode( $response->{content} ) : undef if $response->{success};
        my $status = $response->{status};
        next if $status == 599;
        die "status $status\n" unless $status == 429 || $status == 500 || $status == 503;
        sleep pause_of( $response->{headers} ) + 0.1;
    }
    die "refused five times\n";
}

my $root = $mistake eq 'no-version' ? '/../../pet' : '/pet';
ask( 'GET', "$root/findByStatus?status=available" );
my $id = ask( 'POST', '/pet', { name => 'Rex', photoUrls => [], status => 'available' } )->{id};
my $pet      = ask( 'GET', "/pet/$id" );
my $category = $mistake eq 'numbers-as-texts' ? "$pet->{id}" : $pet->{id};
ask( 'PUT',    "/pet/$id", { name => 'Max', photoUrls => [], category => { id => $category } } );
ask( 'DELETE', "/pet/$id" );
